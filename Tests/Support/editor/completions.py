"""Prints what sourcekit-lsp offers at a mark in a file: completions.py FILE MARK COMPILER_ARGUMENT...

The position is the end of the first occurrence of MARK. Each label is one line. The folder of the file gets a
compile_commands.json.
"""

import json
import os
import subprocess
import sys

path, mark, arguments = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
folder = os.path.dirname(path)
with open(path) as file:
    text = file.read()
before = text[: text.index(mark) + len(mark)]
position = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
with open(os.path.join(folder, "compile_commands.json"), "w") as file:
    json.dump([{"directory": folder, "file": path, "arguments": ["swiftc", *arguments, path]}], file)

server = subprocess.Popen(
    ["sourcekit-lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    length = 0
    while line := server.stdout.readline().strip():
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(server.stdout.read(length))


def request(number, method, parameters):
    send({"id": number, "method": method, "params": parameters})
    while True:
        message = receive()
        if "method" in message and "id" in message:
            send({"id": message["id"], "result": None})
        elif message.get("id") == number:
            return message["result"]


document = {"uri": "file://" + path}
request(1, "initialize", {"processId": None, "rootUri": "file://" + folder, "capabilities": {}})
send({"method": "initialized", "params": {}})
send({
    "method": "textDocument/didOpen",
    "params": {"textDocument": {**document, "languageId": "swift", "version": 1, "text": text}},
})
result = request(2, "textDocument/completion", {"textDocument": document, "position": position})
for item in result["items"] if isinstance(result, dict) else result:
    print(item["label"])
request(3, "shutdown", None)
send({"method": "exit"})
server.wait(10)
