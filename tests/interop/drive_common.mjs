// What the TypeScript drivers share; the contract is the one of drive_common.py.
//
//     node drive_ts1.mjs SCENARIO.json COMMAND ARGUMENT...
//
// The drivers are copied into the peer's environment before they run, so that node finds the SDK there.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const EVENT_PATIENCE = 5000; // milliseconds to wait for the events that a step is to bring
export const STEP_PATIENCE = 10000; // milliseconds to wait for a step

// An object without its _meta, and without the members that have no value.
export function plain(value) {
    const { _meta, ...rest } = JSON.parse(JSON.stringify(value ?? {}));
    return rest;
}

// What the server sent by itself, and the answers it gets.
export class Recorder {
    constructor() {
        this.events = {};
        this.questions = [];
        this.answers = {};
    }

    event(method, params) {
        (this.events[method] ??= []).push(plain(params));
    }

    answer(method, params) {
        this.questions.push({ method, params: plain(params) });
        return this.answers[method].shift();
    }

    progress() {
        return params => this.event('notifications/progress', params);
    }

    async waitFor(count) {
        const deadline = Date.now() + EVENT_PATIENCE;
        while (Object.values(this.events).flat().length < count && Date.now() < deadline) {
            await sleep(10);
        }
    }
}

// The error object that was on the wire; the SDKs put the code into the message as well.
function errorOf(problem) {
    if (!Number.isInteger(problem.code)) {
        return { raised: problem.name, text: problem.message };
    }
    const error = { code: problem.code, message: problem.message.replace(/^MCP error -?\d+: /, '') };
    return problem.data === undefined ? error : { ...error, data: problem.data };
}

async function doStep(verbs, recorder, step) {
    recorder.events = {};
    recorder.questions = [];
    recorder.answers = step.answers ?? {};
    const outcome = {};
    try {
        outcome.result = plain(await verbs[step.do](step));
    } catch (problem) {
        outcome.error = errorOf(problem);
    }
    await recorder.waitFor(step.events ?? 0);
    return { ...outcome, events: recorder.events, questions: recorder.questions };
}

// The verb "cancel": start a call, cancel it, and say whether the next request was answered at once.
export async function cancel(step, call, next) {
    const controller = new AbortController();
    const running = call({ name: step.tool, arguments: step.arguments }, { signal: controller.signal });
    const outcome = running.then(() => false, () => true);
    await sleep(step.after * 1000);
    controller.abort('not needed any more');
    const cancelled = await outcome;
    const started = Date.now();
    await next();
    return { cancelled, prompt: Date.now() - started < 2000 };
}

// The verb "all_tools": follow the cursors; the names on all the pages.
export async function allTools(list) {
    const names = [];
    let params;
    for (;;) {
        const listed = await list(params);
        names.push(...listed.tools.map(tool => tool.name));
        if (listed.nextCursor === undefined) {
            return { names };
        }
        params = { cursor: listed.nextCursor };
    }
}

// Run `connect(scenario, command, recorder)`, which gives {report, verbs, stderr, close}, do the steps, print the report.
export async function main(connect) {
    const scenario = JSON.parse(readFileSync(process.argv[2], 'utf-8'));
    const recorder = new Recorder();
    const report = { steps: {} };
    const stderr = [];
    let close = async () => {};
    try {
        const peer = await connect(scenario, process.argv.slice(3), recorder, stderr);
        close = peer.close;
        report.connect = plain(peer.connect);
        for (const step of scenario.steps) {
            report.steps[step.name] = await doStep(peer.verbs, recorder, step);
        }
    } catch (problem) {
        report.failed = `${problem.name}: ${problem.message}`;
    }
    const started = Date.now();
    await close();
    report.closed_in_time = Date.now() - started < 1500; // the SDK waits 2 s before it kills
    report.stderr = Buffer.concat(stderr).toString('utf-8');
    process.stdout.write(JSON.stringify(report) + '\n', () => process.exit(0));
}
