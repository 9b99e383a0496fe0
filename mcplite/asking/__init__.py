"""Questions to the client: ``Context.elicit``, ``sample``, ``roots`` and what becomes of them, in every revision.

Read in this order: ``questions`` (what may be asked, and what an answer must be), ``adapting`` (what a client can read of it),
``rounds`` (how a question travels in either era), ``waiting`` (the handshake era: a request of ours, everything else served
meanwhile), ``sealing`` (the stateless era: requestState, carried by the client under a seal). Loaded with the first question.
Import from here only what stands below.
"""
from __future__ import annotations

from .adapting import adapt_question
from .questions import check_question, new_elicit, new_elicit_url, new_elicitation_complete, new_sample
from .rounds import ask_all, open_rounds, run_once
from .sealing import Sealer, StateError

__all__ = ["Sealer", "StateError", "adapt_question", "ask_all", "check_question", "new_elicit", "new_elicit_url",
           "new_elicitation_complete", "new_sample", "open_rounds", "run_once"]
