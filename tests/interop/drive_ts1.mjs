// Drives a server with the official TypeScript SDK 1.x. Usage and report: drive_common.py and drive_common.mjs.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { allTools, cancel, main, STEP_PATIENCE } from './drive_common.mjs';

const options = { timeout: STEP_PATIENCE };
const page = step => (step.cursor === undefined ? undefined : { cursor: step.cursor });

async function connect(scenario, command, recorder, stderr) {
    const client = new Client({ name: 'driver', version: '1' }, {
        capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
    });
    client.setRequestHandler(types.ElicitRequestSchema, r => recorder.answer(r.method, r.params));
    client.setRequestHandler(types.CreateMessageRequestSchema, r => recorder.answer(r.method, r.params));
    client.setRequestHandler(types.ListRootsRequestSchema, r => recorder.answer(r.method, r.params));
    client.fallbackNotificationHandler = async n => recorder.event(n.method, n.params);
    client.onerror = problem => recorder.event('exception', { text: problem.message });

    const env = { ...getDefaultEnvironment(), ...scenario.env };
    const transport = new StdioClientTransport({ command: command[0], args: command.slice(1), env, stderr: 'pipe' });
    transport.stderr.on('data', chunk => stderr.push(chunk));
    let revision;
    transport.setProtocolVersion = version => { revision = version; };
    await client.connect(transport, options);

    const verbs = {
        ping: () => client.ping(options),
        list_tools: step => client.listTools(page(step), options),
        all_tools: () => allTools(params => client.listTools(params, options)),
        list_resources: step => client.listResources(page(step), options),
        list_templates: step => client.listResourceTemplates(page(step), options),
        list_prompts: step => client.listPrompts(page(step), options),
        call: step => client.callTool({ name: step.tool, arguments: step.arguments }, undefined,
            step.progress ? { ...options, onprogress: recorder.progress() } : options),
        cancel: step => cancel(step, (params, more) => client.callTool(params, undefined, { ...options, ...more }),
            () => client.listTools(undefined, options)),
        read: step => client.readResource({ uri: step.uri }, options),
        subscribe: step => client.subscribeResource({ uri: step.uri }, options),
        unsubscribe: step => client.unsubscribeResource({ uri: step.uri }, options),
        get_prompt: step => client.getPrompt({ name: step.prompt, arguments: step.arguments }, options),
        complete: step => client.complete({ ref: step.ref, argument: step.argument,
            ...(step.context ? { context: { arguments: step.context } } : {}) }, options),
        set_level: step => client.setLoggingLevel(step.level, options),
        roots_changed: () => client.sendRootsListChanged(),
    };
    return {
        connect: {
            protocolVersion: revision, serverInfo: client.getServerVersion(),
            capabilities: client.getServerCapabilities(), instructions: client.getInstructions(),
        },
        verbs,
        close: () => client.close(),
    };
}

await main(connect);
