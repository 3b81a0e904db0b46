using System.CommandLine;
using System.Diagnostics;
using System.Text.Json.Nodes;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv verify</c>: a server compares all copies, a part with each call.</summary>
internal static class VerifyCommand
{
    // What is said in the end; each was said before when it was found, unless JSON is wanted.
    private const int MostKept = 10_000;
    private const int MostFailures = 30;
    private static readonly TimeSpan Work = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<ByteCount?> rate = Values.Optional<ByteCount>(
            "--rate",
            "BYTES",
            "How much is read in a second, of all disks together; 64MiB if not given",
            ByteCount.TryParse,
            "must be a number of bytes, as in 64MiB"
        );
        var command = new Command("verify", "Compares all copies of all keys, while the store is in use.") { rate };
        examples[command] = """
            camcube kv verify                                exit code 1 if copies differ
            camcube kv verify --rate 1GiB --json
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var progress = new ProgressLine(parsed.InvocationConfiguration.Error);
                var run = new Run(parsed, common, progress, parsed.GetValue(rate) ?? new ByteCount(64 << 20));
                return await run.VerifyAsync(cancel);
            }
        );
        return command;
    }

    private sealed class Run(ParseResult parsed, CommonOptions common, ProgressLine progress, ByteCount rate)
    {
        private readonly ToolHost _host = new(parsed.GetRequiredValue(common.Host));
        private readonly List<StoreDifferenceAnswer> _differences = [];
        private readonly SortedDictionary<(string Server, string Why), HashSet<string>> _skipped = [];
        private readonly bool _isJson = parsed.GetValue(common.Json);
        private readonly Report _report = new(parsed.InvocationConfiguration.Output);
        private long _compared;
        private long _bytes;
        private long _found;
        private int _groups;

        public async Task<int> VerifyAsync(CancellationToken cancel)
        {
            using ToolHost host = _host;
            string? cursor = null;
            do
            {
                long began = Stopwatch.GetTimestamp();
                StoreVerifyAnswer part = await AskAsync(cursor, cancel);
                Take(part);
                cursor = part.Cursor;
                var least = TimeSpan.FromSeconds((double)part.Bytes / rate.Bytes);
                TimeSpan rest = least - Stopwatch.GetElapsedTime(began);
                if (rest > TimeSpan.Zero)
                {
                    await Task.Delay(rest, cancel);
                }
            } while (cursor is not null);

            progress.Dispose();
            End();
            return _found > 0 ? ExitCode.Failed
                : _skipped.Count > 0 ? ExitCode.Unavailable
                : ExitCode.Ok;
        }

        // Any server can go on.
        private async Task<StoreVerifyAnswer> AskAsync(string? cursor, CancellationToken cancel)
        {
            string at = cursor is null ? "" : $"?cursor={cursor}";
            for (int failures = 0; ; failures++)
            {
                try
                {
                    StatusAnswer status = await _host.StatusAsync(cancel);
                    string[] servers = GroupCommands.ServersOf(status, null);
                    string server = servers[failures % servers.Length];
                    return _host.Read<StoreVerifyAnswer>(
                        await _host.PostAsync($"/api/servers/{server}/services/kv/verify{at}", Work, cancel)
                    );
                }
                catch (ToolException) when (cursor is not null && failures < MostFailures)
                {
                    await Task.Delay(Pause, cancel);
                }
            }
        }

        private void Take(StoreVerifyAnswer part)
        {
            (_compared, _bytes, _groups) = (_compared + part.Compared, _bytes + part.Bytes, part.Of);
            foreach (StoreSkippedAnswer skipped in part.Skipped)
            {
                (string, string) name = (skipped.Server, skipped.Why);
                _skipped.TryAdd(name, []);
                _skipped[name].Add(skipped.Group);
            }

            foreach (StoreDifferenceAnswer one in part.Differences)
            {
                _found++;
                if (_isJson && _differences.Count < MostKept)
                {
                    _differences.Add(one);
                }
                else if (!_isJson)
                {
                    progress.Dispose();
                    _report.Line($"group {one.Group}, {Named(one)}, version {one.Version}: {one.Server} {Words(one)}");
                }
            }

            progress.Show(() => $"{part.Done} of {part.Of} groups, {Report.Count(_compared)} copies, {_found} differ");
        }

        private void End()
        {
            if (_isJson)
            {
                var json = new JsonObject
                {
                    ["groups"] = _groups,
                    ["compared"] = _compared,
                    ["bytes"] = _bytes,
                    ["found"] = _found,
                    ["differences"] = JsonNode.Parse(ToolJson.Of(_differences)),
                    ["skipped"] = new JsonArray([
                        .. _skipped.Select(one => new JsonObject
                        {
                            ["server"] = one.Key.Server,
                            ["why"] = one.Key.Why,
                            ["groups"] = one.Value.Count,
                        }),
                    ]),
                };
                _report.Line(json.ToJsonString(ToolJson.Options));
                return;
            }

            foreach (((string server, string why), HashSet<string> groups) in _skipped)
            {
                _report.Line($"not compared: {Report.Count(groups.Count)} groups of {server}: {why}");
            }

            string end = _found == 0 ? "none differs" : $"{Report.Count(_found)} differ";
            _report.Line(
                $"{Report.Count(_compared)} copies of {Report.Count(_groups)} groups compared, "
                    + $"{Report.Bytes(_bytes)} read: {end}"
            );
        }

        private static string Named(StoreDifferenceAnswer one) =>
            one.Key is { } text ? $"key {ToolJson.Of(text)}"
            : one.Hex is not null ? $"key hex {one.Hex}"
            : "key not readable";

        private static string Words(StoreDifferenceAnswer one) =>
            one.What switch
            {
                "missing" => "lacks it",
                "otherBytes" => "has other bytes",
                "unreadable" => "cannot read it",
                _ => one.What,
            };
    }
}
