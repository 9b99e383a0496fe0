// Drives a server with the official TypeScript SDK 2.x, in the scenario's mode: "legacy", "auto", the stateless revision
// that it is pinned to, or the only handshake revision that it knows. Usage and report: drive_common.py and
// drive_common.mjs.

import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { allTools, cancel, main, STEP_PATIENCE } from './drive_common.mjs';

const options = { timeout: STEP_PATIENCE };
const fresh = { ...options, cacheMode: 'bypass' };
const page = step => (step.cursor === undefined ? undefined : { cursor: step.cursor });

async function connect(scenario, command, recorder, stderr) {
    const { mode } = scenario;
    const named = mode !== 'legacy' && mode !== 'auto';
    const versions = !named ? { versionNegotiation: { mode } }
        : mode < '2026' ? { supportedProtocolVersions: [mode] } : { versionNegotiation: { mode: { pin: mode } } };
    const client = new Client({ name: 'driver', version: '1' }, {
        capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
        ...versions,
    });
    for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list']) {
        client.setRequestHandler(method, r => recorder.answer(r.method, r.params));
    }
    client.fallbackNotificationHandler = async n => recorder.event(n.method, n.params);
    client.onerror = problem => recorder.event('exception', { text: problem.message });

    const env = { ...getDefaultEnvironment(), ...scenario.env };
    const transport = new StdioClientTransport({ command: command[0], args: command.slice(1), env, stderr: 'pipe' });
    transport.stderr.on('data', chunk => stderr.push(chunk));
    await client.connect(transport, options);

    let stream;
    const verbs = {
        ping: () => client.ping(options),
        list_tools: step => client.listTools(page(step), fresh),
        all_tools: () => allTools(params => client.listTools(params, fresh)),
        list_resources: step => client.listResources(page(step), fresh),
        list_templates: step => client.listResourceTemplates(page(step), fresh),
        list_prompts: step => client.listPrompts(page(step), fresh),
        call: step => client.callTool({ name: step.tool, arguments: step.arguments, _meta: step.meta },
            step.progress ? { ...options, onprogress: recorder.progress() } : options),
        cancel: step => cancel(step, (params, more) => client.callTool(params, { ...options, ...more }),
            () => client.listTools(undefined, fresh)),
        read: step => client.readResource({ uri: step.uri }, fresh),
        subscribe: step => client.subscribeResource({ uri: step.uri }, options),
        unsubscribe: step => client.unsubscribeResource({ uri: step.uri }, options),
        listen: async step => {
            const { tools_list_changed: tools, prompts_list_changed: prompts, resources_list_changed: resources,
                resource_subscriptions: uris } = step.filter;
            stream = await client.listen(JSON.parse(JSON.stringify({ toolsListChanged: tools, promptsListChanged: prompts,
                resourcesListChanged: resources, resourceSubscriptions: uris })), options);
            return stream.honoredFilter;
        },
        unlisten: () => stream.close(),
        get_prompt: step => client.getPrompt({ name: step.prompt, arguments: step.arguments }, options),
        complete: step => client.complete({ ref: step.ref, argument: step.argument,
            ...(step.context ? { context: { arguments: step.context } } : {}) }, options),
        set_level: step => client.setLoggingLevel(step.level, options),
        roots_changed: () => client.sendRootsListChanged(),
    };
    return {
        connect: {
            protocolVersion: client.getNegotiatedProtocolVersion(), serverInfo: client.getServerVersion(),
            capabilities: client.getServerCapabilities(), instructions: client.getInstructions(),
        },
        verbs,
        close: () => client.close(),
    };
}

await main(connect);
