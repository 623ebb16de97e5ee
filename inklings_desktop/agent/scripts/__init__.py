"""Scripts of a person or a model, run by an interpreter that can reach nothing by itself.

A script is Python text that defines ``main(inputs)``: it gets a dictionary and returns plain data.
It runs in CPython compiled to WebAssembly, without files, network, environment or a way to wait.
What it may use is chosen by whoever runs it::

    interpreter = Interpreter(cache_folder, data_root)  # one for the process
    executor = (
        RlmExecutor()
        .with_module("json")  # of the standard library
        .with_module("inklings", memory_module(call, progress))  # functions of ours
        .memory_limit(64 * MB)
        .fuel_limit(10 * G)
        .build(interpreter)
    )
    ran = await executor.execute(script, {"query": "harbour"})  # a Ran: outcome, result, printed

``await interpreter.warm()`` boots one ahead, while a model thinks; it goes by itself when nobody
takes it. Cancelling ``execute`` ends the script at once. Where a library is missing ``execute``
raises an `AgentError` with the word ``scripts_not_installed``.

May import ``wasmtime`` and the interpreter's package; must never know a tool, a graph or a model.
"""
