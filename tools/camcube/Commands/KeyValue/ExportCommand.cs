using System.CommandLine;
using System.Text;
using System.Text.Json.Nodes;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv export</c>: keys with all that is kept of them, as lines of JSON.</summary>
internal static class ExportCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var prefix = new KeyOptions(common, isPrefix: true);
        Option<string> to = new("--out") { Description = "File for the lines; without it they are printed" };
        to.HelpName = "FILE";
        Option<bool> resume = new("--resume") { Description = "Goes on where FILE ends" };
        Option<string> cursor = new("--cursor")
        {
            Description = "Where to go on, as the last line with a cursor says",
            HelpName = "CURSOR",
        };
        Command command = prefix.AddTo(
            new Command("export", "Prints keys with values and what is kept beside them: a backup.")
            {
                to,
                resume,
                cursor,
            }
        );
        examples[command] = """
            camcube kv export --out keys.jsonl
            camcube kv export cats/ --table 2 | gzip > cats.jsonl.gz
            camcube kv export --out keys.jsonl --resume      after one that was broken off
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string? file = parsed.GetValue(to),
                    from = parsed.GetValue(cursor);
                bool goesOn = parsed.GetValue(resume);
                if (goesOn && (file is null || from is not null))
                {
                    throw new ToolException(ExitCode.Usage, "--resume wants --out, and no --cursor.");
                }

                var head = new ExportLine
                {
                    Format = ExportLine.Name,
                    Table = prefix.TableIn(parsed),
                    Prefix = Convert.ToHexStringLower(prefix.BytesIn(parsed)),
                };
                await using Stream lines = file is null ? Console.OpenStandardOutput() : Open(file, goesOn);
                using var progress = new ProgressLine(parsed.InvocationConfiguration.Error);
                using var client = new PatientClient(prefix, parsed);
                var export = new Run(client, head.Table.Value, lines, progress);
                ExportEnd end = goesOn ? await ExportEnd.FindAsync(lines, head, cancel) : new ExportEnd(0, null, false);
                if (!end.IsWhole)
                {
                    if (goesOn)
                    {
                        lines.SetLength(lines.Position);
                    }

                    await export.RunAsync(prefix.Query(parsed), head, end, from, cancel);
                }

                progress.Dispose();
                if (file is not null)
                {
                    var json = new JsonObject { ["keys"] = end.Keys + export.Keys, ["bytes"] = export.Bytes };
                    string words =
                        $"{Report.Count(end.Keys + export.Keys)} keys, {Report.Bytes(export.Bytes)} of values";
                    JsonOrText.Print(parsed, common, json.ToJsonString(ToolJson.Options), words);
                }

                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static FileStream Open(string file, bool goesOn)
    {
        try
        {
            return new FileStream(file, goesOn ? FileMode.OpenOrCreate : FileMode.CreateNew, FileAccess.ReadWrite);
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ToolException(ExitCode.Usage, $"--out {file}: {e.Message}");
        }
    }

    private sealed class Run(PatientClient client, int table, Stream lines, ProgressLine progress)
    {
        private const int AtOnce = 16;

        public long Keys { get; private set; }

        public long Bytes { get; private set; }

        public async Task RunAsync(
            string query,
            ExportLine head,
            ExportEnd end,
            string? cursor,
            CancellationToken cancel
        )
        {
            string? at = end.Cursor ?? cursor;
            if (at is null)
            {
                Write(head);
            }

            do
            {
                string? from = at;
                KeyListAnswer page = await client.AskAsync(
                    one => ListCommand.PageAsync(one, query, from, int.MaxValue, cancel),
                    null,
                    cancel
                );
                foreach (ListedKeyAnswer[] some in page.Keys.Chunk(AtOnce))
                {
                    await WriteAsync(some, cancel);
                }

                at = page.Next;
                Write(at is null ? new ExportLine { End = end.Keys + Keys } : new ExportLine { Cursor = at });
                await lines.FlushAsync(cancel);
            } while (at is not null);
        }

        // Short ones at once, in their order; long ones one after the other.
        private async Task WriteAsync(ListedKeyAnswer[] keys, CancellationToken cancel)
        {
            ExportLine?[] read = await Task.WhenAll(keys.Select(key => ReadAsync(key, cancel)));
            foreach (ExportLine line in read.OfType<ExportLine>())
            {
                (Keys, Bytes) = (Keys + 1, Bytes + (line.Value?.Length ?? line.Length ?? 0));
                if (line.Value is not null)
                {
                    Write(line);
                }
                else if (!await WriteLongAsync(line, cancel))
                {
                    Keys--;
                }

                progress.Show(() => $"{Report.Count(Keys)} keys, {Report.Bytes(Bytes)} of values");
            }
        }

        // Null: it is gone. Without a value: that is long.
        private async Task<ExportLine?> ReadAsync(ListedKeyAnswer key, CancellationToken cancel)
        {
            var line = new ExportLine
            {
                Key = key.Key,
                Hex = key.Hex,
                Length = key.Length,
            };
            if (key.Length > ExportLine.MostInLine)
            {
                return line;
            }

            // It may be another by now.
            string query = KeyOptions.QueryOf("key", line.KeyBytes(), table);
            return await client.AskAsync(
                async one =>
                {
                    var value = new MemoryStream();
                    bool isLong = false;
                    KeyValueReply? got = await FindAsync(
                        one,
                        query,
                        reply => (isLong = reply.Length > ExportLine.MostInLine) ? Stream.Null : value,
                        cancel
                    );
                    return got is null ? null
                        : isLong ? line with { Length = got.Length }
                        : LineOf(line, got, value.ToArray());
                },
                null,
                cancel
            );
        }

        private Task<bool> WriteLongAsync(ExportLine line, CancellationToken cancel)
        {
            string query = KeyOptions.QueryOf("key", line.KeyBytes(), table);
            return client.AskAsync(
                async one =>
                {
                    // One that is broken off is begun anew: whoever reads the lines sees that pieces are missing.
                    KeyValueReply? got = await FindAsync(
                        one,
                        query,
                        reply =>
                        {
                            Write(LineOf(line, reply, null));
                            return new ExportStream(Write);
                        },
                        cancel
                    );
                    return got is not null;
                },
                null,
                cancel
            );
        }

        private static async Task<KeyValueReply?> FindAsync(
            KeyValueClient client,
            string query,
            Func<KeyValueReply, Stream> into,
            CancellationToken cancel
        )
        {
            try
            {
                var moving = new MovingBytes(static _ => { });
                return await client.AskAsync(HttpMethod.Get, query, null, null, TimeSpan.Zero, moving, into, cancel);
            }
            catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
            {
                return null;
            }
        }

        private static ExportLine LineOf(ExportLine line, KeyValueReply reply, byte[]? value)
        {
            SortedDictionary<string, string> fields = new(StringComparer.Ordinal);
            foreach ((string name, JsonNode? text) in reply.Fields())
            {
                // Who imports it says anew where it is from.
                if (name != ImportCommand.SourceField)
                {
                    fields[name] = $"{text}";
                }
            }

            return new ExportLine
            {
                Key = line.Key,
                Hex = line.Hex,
                Version = reply.Version,
                Type = reply.Header("Content-Type"),
                Fields = fields.Count > 0 ? fields : null,
                Expires = uint.TryParse(reply.Header("CamCube-Expires"), out uint rest) ? rest : null,
                Value = value,
                Length = value is null ? reply.Length : null,
            };
        }

        private void Write(ExportLine line) => lines.Write(Encoding.UTF8.GetBytes($"{line}\n"));
    }
}
