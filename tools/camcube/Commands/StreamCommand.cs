using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube stream FROM TO</c>: how fast streams between two servers are, by the service streams.</summary>
internal static class StreamCommand
{
    private const int MostStreams = 1_000;
    private const string All = "all",
        One = "one";

    private static readonly TimeSpan Between = TimeSpan.FromMilliseconds(500);

    // What all of it may take where only bytes are given: the service gives up before.
    private static readonly TimeSpan Longest = TimeSpan.FromHours(2);

    // Behind its time, for what is under way then.
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(30);

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<ServerName> from = Values.Server("FROM", "The server that writes");
        Argument<ServerName> to = Values.Server("TO", "The server that reads");
        Option<ByteCount?> bytes = Values.Optional<ByteCount>(
            "--bytes",
            "SIZE",
            "Bytes of all streams together [default: 100MB; without end with --time]",
            ByteCount.TryParse,
            "must be a number of bytes from 1 to 100TB, as in 4096, 100MB or 2GiB"
        );
        Option<int> count = Values.Whole("--count", "Streams at the same time", 1, 1, MostStreams);
        var paths = new Option<string>("--paths")
        {
            Description = "All link-disjoint paths, one, or the cable to TO in a direction",
            HelpName = "all|one|LINK",
            DefaultValueFactory = _ => All,
            CustomParser = Values.Of<string>(ReadPaths, "must be all, one, or a direction, as in +x or px"),
        };
        Option<Duration?> time = Values.Optional<Duration>(
            "--time",
            "TIME",
            "Writes no more after this time, as in 500ms or 10s",
            (string text, out Duration value) =>
                Duration.TryParse(text, out value) && value.Value >= TimeSpan.FromMilliseconds(1),
            "must be a time with its unit, as in 500ms or 10s, from 1ms to 3600s"
        );
        var verify = new Option<bool>("--verify")
        {
            Description = "Compares what was written and what was read, by SHA-256",
        };
        var command = new Command("stream", "Sends bytes from one server to another in streams, as fast as they go.")
        {
            from,
            to,
            bytes,
            count,
            paths,
            time,
            verify,
        };
        examples[command] = """
            camcube stream 0 13                            100 MB over all link-disjoint paths
            camcube stream 0,0,0 1,0,0 --paths +x --time 10s
            camcube stream 0 26 --bytes 1GB --count 8 --json
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                StatusAnswer status = await host.StatusAsync(cancel);
                Coordinate writer = parsed.GetValue(from).In(status.Torus, "FROM"),
                    reader = parsed.GetValue(to).In(status.Torus, "TO");
                string way = parsed.GetValue(paths)!;
                if (FaultOf(status.Torus, writer, reader, way) is { } fault)
                {
                    throw new ToolException(ExitCode.Usage, fault);
                }

                long run = Random.Shared.NextInt64(1, long.MaxValue);
                (ByteCount? size, TimeSpan? limit) = (parsed.GetValue(bytes), parsed.GetValue(time)?.Value);
                string path = $"/api/servers/{writer}/services/streams",
                    query =
                        $"to={reader}&count={parsed.GetValue(count)}&paths={Uri.EscapeDataString(way)}&run={run}"
                        + (parsed.GetValue(verify) ? "&verify=true" : "")
                        + (size is { } some ? $"&bytes={some.Bytes}" : "")
                        + (limit is { } most ? $"&for={(long)most.TotalMicroseconds}us" : "");
                Task<string> asked = host.PostAsync($"{path}/send?{query}", limit + Grace ?? Longest, cancel);
                var progress = new StreamProgress(parsed.InvocationConfiguration.Error);
                await FollowAsync(host, $"{path}/progress?run={run}", progress, size, asked, cancel);
                string json = await asked;
                StreamAnswer answer = host.Read<StreamAnswer>(json);
                JsonOrText.Print(parsed, common, json, report => StreamText.Show(report, answer));
                return answer.End == "Finished"
                    ? ExitCode.Ok
                    : throw new ToolException(
                        ExitCode.Failed,
                        $"the streams ended with {answer.End} after {Report.Count(answer.Bytes)} bytes."
                    );
            }
        );
        return command;
    }

    /// <summary>What is wrong with streams between two servers; null: nothing.</summary>
    /// <param name="shape">The shape.</param>
    /// <param name="from">Who writes.</param>
    /// <param name="to">Who reads.</param>
    /// <param name="paths">As --paths has them.</param>
    public static string? FaultOf(TorusShape shape, Coordinate from, Coordinate to, string paths)
    {
        if (from == to)
        {
            return $"FROM and TO are both server {from}; name two.";
        }

        if (!Links.TryParse(paths, out Link link))
        {
            return null;
        }

        LinkSet cabled = shape.CabledLinks(from);
        if (!cabled.Contains(link))
        {
            return $"--paths {paths}: server {from} has no cable there in a cube {shape}; it has {cabled}.";
        }

        Coordinate neighbour = shape.Step(from, link);
        return neighbour == to ? null : $"--paths {paths} leads from {from} to {neighbour}, not to {to}.";
    }

    private static bool ReadPaths(string text, out string paths)
    {
        bool isLink = Links.TryParse(text, out Link link);
        paths = isLink ? link.Name() : text;
        return isLink || text is All or One;
    }

    private static async Task FollowAsync(
        ToolHost host,
        string path,
        StreamProgress progress,
        ByteCount? all,
        Task asked,
        CancellationToken cancel
    )
    {
        while (progress.IsShown && await Task.WhenAny(asked, Task.Delay(Between, cancel)) != asked)
        {
            try
            {
                string json = await host.PostAsync(path, TimeSpan.Zero, cancel);
                progress.Report(host.Read<StreamProgressAnswer>(json), all);
            }
            catch (Exception e) when (e is ToolException or OperationCanceledException)
            {
                // What is wrong the answer itself will say.
            }

            if (cancel.IsCancellationRequested)
            {
                break;
            }
        }

        progress.End();
    }
}
