using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv import</c>: what <c>export</c> has printed, into a store.</summary>
internal static class ImportCommand
{
    /// <summary>Field beside a value that says which version it had where it is from.</summary>
    public const string SourceField = "camcube-source";

    private const string Source = "X-Meta-CamCube-Source";
    private const int AtOnce = 16;
    private static readonly TimeSpan LongestWork = TimeSpan.FromSeconds(70);

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var where = new KeyOptions(common, isPrefix: true);
        Option<string> from = new("--file") { Description = "File with the lines; without it standard input" };
        from.HelpName = "FILE";
        Option<bool> overwrite = new("--overwrite") { Description = "Also where another value is in the way" };
        Option<bool> sameCube = new("--same-cube")
        {
            Description = "The lines are from this store: what has the same or a later version stays, unsaid",
        };
        Command command = where.AddTo(
            new Command("import", "Puts keys that were exported, those that begin with PREFIX.")
            {
                from,
                overwrite,
                sameCube,
            }
        );
        examples[command] = """
            camcube kv import --file keys.jsonl              again after one that was broken off: goes on
            gunzip -c cats.jsonl.gz | camcube kv import --table 3
            camcube kv import --file keys.jsonl --same-cube  what has gone since

            Exit code 1: other values are in the way of some keys; they are said, and stay.
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                await using Stream stream = Open(parsed.GetValue(from));
                using var progress = new ProgressLine(parsed.InvocationConfiguration.Error);
                using var client = new PatientClient(where, parsed);
                var import = new Run(client, new LineReader(stream), progress)
                {
                    Prefix = where.BytesIn(parsed),
                    Table = where.HasTable(parsed) ? where.TableIn(parsed) : null,
                    Overwrites = parsed.GetValue(overwrite),
                    IsSameCube = parsed.GetValue(sameCube),
                    InTheWay = parsed.GetValue(common.Json)
                        ? static _ => { }
                        : key =>
                            new Report(parsed.InvocationConfiguration.Output).Line($"another value is there: {key}"),
                };
                await import.RunAsync(cancel);
                progress.Dispose();
                JsonOrText.Print(parsed, common, import.Json().ToJsonString(ToolJson.Options), import.Words());
                return import.Conflicts > 0 ? ExitCode.Failed : ExitCode.Ok;
            }
        );
        return command;
    }

    private static Stream Open(string? file)
    {
        try
        {
            return file is null ? Console.OpenStandardInput() : File.OpenRead(file);
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ToolException(ExitCode.Usage, $"--file {file}: {e.Message}");
        }
    }

    private sealed class Run(PatientClient client, LineReader lines, ProgressLine progress)
    {
        private readonly List<ExportLine> _waiting = [];
        private int _table;
        private long _imported;
        private long _skipped;
        private long _bytes;

        public required byte[] Prefix { get; init; }

        public required int? Table { get; init; }

        public required bool Overwrites { get; init; }

        public required bool IsSameCube { get; init; }

        public required Action<string> InTheWay { get; init; }

        public long Conflicts { get; private set; }

        public async Task RunAsync(CancellationToken cancel)
        {
            ExportLine? line = await NextAsync(cancel);
            if (line?.Format != ExportLine.Name)
            {
                throw new ToolException(ExitCode.Usage, $"the first line does not say {ExportLine.Name}: no export.");
            }

            _table = Table ?? line.Table ?? 0;
            bool isWhole = false;
            while (!isWhole && await NextAsync(cancel) is { } next)
            {
                isWhole = next.End is not null;
                if (next.IsKey && next.KeyBytes().AsSpan().StartsWith(Prefix))
                {
                    await TakeAsync(next, cancel);
                }
            }

            await PutWaitingAsync(cancel);
            if (!isWhole)
            {
                progress.Dispose();
                throw new ToolException(
                    ExitCode.Failed,
                    $"line {lines.Number} is the last one, and not the end of an export; what is before it was put: "
                        + $"{Words()}. 'camcube kv export --resume' goes on."
                );
            }
        }

        public JsonObject Json() =>
            new()
            {
                ["imported"] = _imported,
                ["skipped"] = _skipped,
                ["conflicts"] = Conflicts,
                ["bytes"] = _bytes,
            };

        public string Words() =>
            $"{Report.Count(_imported)} keys put, {Report.Bytes(_bytes)}; {Report.Count(_skipped)} were there; "
            + $"{Report.Count(Conflicts)} with other values in the way";

        private async Task<ExportLine?> NextAsync(CancellationToken cancel) =>
            await lines.ReadAsync(cancel) is { } text ? ExportLine.Read(text, lines.Number) : null;

        private async Task TakeAsync(ExportLine line, CancellationToken cancel)
        {
            if (line.Value is not null)
            {
                _waiting.Add(line);
                if (_waiting.Count == AtOnce)
                {
                    await PutWaitingAsync(cancel);
                }

                return;
            }

            await PutWaitingAsync(cancel);
            (long position, long number) = (lines.Position, lines.Number);
            bool isBroken = false;
            End end = await client.AskAsync(
                async one =>
                {
                    var moving = new MovingBytes(bytes => progress.Show(() => $"{Words()}; {Report.Bytes(bytes)}"));
                    using var content = new PiecesContent(lines, line.Length!.Value, moving);
                    try
                    {
                        return await PutAsync(one, line, content, moving, cancel);
                    }
                    catch (ToolException) when (content.Wrong is not null)
                    {
                        // It was broken off when it was exported, and begun anew behind this.
                        isBroken = true;
                        return End.Skipped;
                    }
                },
                () =>
                {
                    if (lines.CanGoBack)
                    {
                        lines.GoBack(position, number);
                    }

                    return lines.CanGoBack;
                },
                cancel
            );
            if (!isBroken)
            {
                Count(line, end);
            }
            else if (lines.CanGoBack)
            {
                lines.GoBack(position, number);
            }
            else
            {
                throw new ToolException(
                    ExitCode.Usage,
                    $"line {lines.Number}: the value of {Named(line)} is not whole; "
                        + "from a file it would be passed over."
                );
            }
        }

        private async Task PutWaitingAsync(CancellationToken cancel)
        {
            // A key that is there twice goes the same way as alone.
            foreach (ExportLine[] some in InTurn())
            {
                End[] ends = await Task.WhenAll(
                    some.Select(line =>
                        client.AskAsync(
                            async one =>
                            {
                                using var content = new ByteArrayContent(line.Value!);
                                return await PutAsync(one, line, content, null, cancel);
                            },
                            null,
                            cancel
                        )
                    )
                );
                for (int i = 0; i < some.Length; i++)
                {
                    Count(some[i], ends[i]);
                }
            }

            _waiting.Clear();
        }

        private List<ExportLine[]> InTurn()
        {
            HashSet<string> keys = [.. _waiting.Select(static line => line.Key ?? $"hex {line.Hex}")];
            return keys.Count == _waiting.Count
                ?
                [
                    [.. _waiting],
                ]
                : [.. _waiting.Select(static line => (ExportLine[])[line])];
        }

        private void Count(ExportLine line, End end)
        {
            switch (end)
            {
                case End.Put:
                    (_imported, _bytes) = (_imported + 1, _bytes + (line.Value?.Length ?? line.Length!.Value));
                    break;
                case End.Skipped:
                    _skipped++;
                    break;
                default:
                    Conflicts++;
                    progress.Dispose();
                    InTheWay(Named(line));
                    break;
            }

            progress.Show(Words);
        }

        private static string Named(ExportLine line) =>
            line.Key is { } text ? $"key {ToolJson.Of(text)}" : $"key hex {line.Hex}";

        // Asked again it finds what it put the first time, and passes it over.
        private async Task<End> PutAsync(
            KeyValueClient one,
            ExportLine line,
            HttpContent content,
            MovingBytes? moving,
            CancellationToken cancel
        )
        {
            string query = KeyOptions.QueryOf("key", line.KeyBytes(), _table);
            KeyValueReply? there = await FindAsync(one, query, cancel);
            bool isOlder = false;
            if (there is not null)
            {
                ulong version = ulong.Parse(line.Version!, CultureInfo.InvariantCulture);
                bool hasSource = ulong.TryParse(there.Header(Source), out ulong source);
                bool isThere =
                    (hasSource && source >= version)
                    || (IsSameCube && ulong.TryParse(there.Version, out ulong own) && own >= version);
                if (isThere)
                {
                    return End.Skipped;
                }

                isOlder = hasSource || Overwrites;
                if (!isOlder)
                {
                    return End.InTheWay;
                }
            }

            content.Headers.TryAddWithoutValidation("Content-Type", line.Type);
            content.Headers.TryAddWithoutValidation(Source, line.Version);
            foreach ((string name, string value) in line.Fields ?? [])
            {
                content.Headers.TryAddWithoutValidation($"X-Meta-{name}", value);
            }

            if (line.Expires is { } seconds)
            {
                content.Headers.Add("CamCube-Expires", $"{seconds}");
            }

            (string, string) condition = there is not null
                ? ("If-Match", $"\"{there.Version}\"")
                : ("If-None-Match", "*");
            try
            {
                TimeSpan work = moving is null ? TimeSpan.Zero : LongestWork;
                await one.AskAsync(HttpMethod.Put, query, content, condition, work, moving, null, cancel);
                return End.Put;
            }
            catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
            {
                // Somebody put another just now.
                return End.InTheWay;
            }
            catch (ToolException e) when (e.ExitCode == ExitCode.Usage)
            {
                throw new ToolException(ExitCode.Usage, $"line {lines.Number}, {Named(line)}: {e.Message}");
            }
        }

        private static async Task<KeyValueReply?> FindAsync(KeyValueClient one, string query, CancellationToken cancel)
        {
            try
            {
                return await one.AskAsync(HttpMethod.Head, query, null, null, TimeSpan.Zero, cancel);
            }
            catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
            {
                return null;
            }
        }
    }

    private enum End
    {
        Put,
        Skipped,
        InTheWay,
    }
}
