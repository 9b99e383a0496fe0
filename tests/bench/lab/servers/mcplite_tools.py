# bench: name=mcplite env=mcplite
import sys
from mcplite import Server
app = Server("bench")
for f in __import__(sys.argv[1]).TOOLS:
    app.tool(f)
app.run()
