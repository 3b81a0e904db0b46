using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Services.Distribution;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using CamCube.Topology;

namespace CamCube.Tool.Commands.Distribute;

/// <summary><c>camcube distribute FILE --to ...</c>: a file of this machine to many servers of a cube.</summary>
internal static class DistributeCommand
{
    private const int BitsOfByte = 8;
    private static readonly TimeSpan Between = TimeSpan.FromMilliseconds(200);

    /// <summary>The command, and those beside it.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string?> file = new("FILE")
        {
            Description = "A file of this machine",
            Arity = ArgumentArity.ZeroOrOne,
        };
        Option<string[]> to = ServerListOption.Create("--to", "Who is to have it");
        Option<string?> name = new("--as") { Description = "Its name there [default: FILE's]", HelpName = "NAME" };
        Option<ServerName?> from = Values.Optional<ServerName>(
            "--from",
            "SERVER",
            "The server that sends it, by rank or coordinate [default: the first of the host]",
            ServerName.TryParse,
            "must be a server, by rank or coordinate, as in 13 or 1,1,1"
        );
        Option<int> weight = new("--weight")
        {
            Description = "How it shares links with other jobs: 2 has twice what 1 has",
            HelpName = "1..1000",
            DefaultValueFactory = static _ => 1,
        };
        Option<BitRate?> limit = Values.Optional<BitRate>(
            "--limit",
            "RATE",
            "The most that a member is given [default: what links carry]",
            BitRate.TryParse,
            "must be a rate, from 1mbit to 100gbit"
        );
        Option<DistributionTrees?> trees = Values.Optional<DistributionTrees>(
            "--trees",
            "KIND",
            "six: along all trees at once; one: of shortest ways; minicube: few links, for few members [default: six]",
            static (string text, out DistributionTrees kind) =>
                Enum.TryParse(text, ignoreCase: true, out kind) && char.IsLetter(text[0]),
            "must be six, one or minicube"
        );
        Option<int> code = new("--code")
        {
            Description = "Trees that carry parity: members have it in time where 1 cable, or 2: a server, is lost",
            HelpName = "0..2",
            DefaultValueFactory = static _ => 0,
        };
        Option<bool> replace = new("--replace") { Description = "Takes the place of a file that has the name already" };
        var command = new Command("distribute", "Sends a file to many servers, along all trees of the cube at once.")
        {
            file,
            to,
            name,
            from,
            replace,
            weight,
            limit,
            trees,
            code,
            JobCommands.List(common, examples),
            JobCommands.Status(common, examples),
            JobCommands.Cancel(common, examples),
            RemoveCommand.Create(common, examples),
        };
        examples[command] = """
            camcube distribute image.raw --to all
            camcube distribute image.raw --to 1,0,0 2,0,0 13 --as base.raw --replace
            camcube distribute image.raw --to all --from 13 --json | jq '.members[] | select(.state != "done")'
            camcube distribute image.raw --to all --limit 500mbit --weight 2
            camcube distribute image.raw --to all --code 1
            camcube distribute list
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                if (parsed.GetValue(file) is not { } path || parsed.GetValue(to) is not { Length: > 0 } servers)
                {
                    throw new ToolException(
                        ExitCode.Usage,
                        "FILE and --to are needed, as in 'camcube distribute image.raw --to all'. "
                            + "See 'camcube distribute --help'."
                    );
                }

                await using FileStream content = Open(path);
                string named = FileNames.Check(parsed.GetValue(name) ?? Path.GetFileName(path));
                int share = parsed.GetValue(weight);
                if (share is < 1 or > DistributionRequest.MostWeight)
                {
                    throw new ToolException(
                        ExitCode.Usage,
                        $"--weight must be 1 to {DistributionRequest.MostWeight}, and not {share}."
                    );
                }

                int parity = parsed.GetValue(code);
                if (parity is < 0 or > DistributionRequest.MostCode)
                {
                    throw new ToolException(
                        ExitCode.Usage,
                        $"--code must be 0 to {DistributionRequest.MostCode}, and not {parity}."
                    );
                }

                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                var distribution = new DistributionHost(host);
                StatusAnswer status = await distribution.StatusAsync(cancel);
                DistributionTrees kind = parsed.GetValue(trees) ?? DistributionTrees.Six;
                CheckCode(parity, kind, status.Torus);
                Coordinate[] members = ServerListOption.Read(servers, "--to", status.Torus);
                string? only = parsed.GetValue(from)?.In(status.Torus, "--from").ToString();
                string source = DistributionHost.ServersOf(status, only)[0];
                bool replaces = parsed.GetValue(replace);
                using (var progress = new ByteProgress(parsed.InvocationConfiguration.Error))
                {
                    await distribution.PutAsync(source, content, named, replaces, progress.Show, cancel);
                }

                string query =
                    $"send?file={Uri.EscapeDataString(named)}"
                    + (members.Length > 0 ? $"&to={Uri.EscapeDataString(string.Join(';', members))}" : "")
                    + (replaces ? "&replaces=true" : "")
                    + $"&weight={share}&trees={kind}&code={parity}"
                    + (parsed.GetValue(limit) is { } rate ? $"&limit={rate.BitsPerSecond / BitsOfByte}" : "");
                string id = distribution
                    .Read<DistributionStartAnswer>(await distribution.AskAsync(source, query, cancel))
                    .Id;
                string json = await FollowAsync(distribution, source, id, parsed, cancel);
                DistributionJobAnswer job = distribution.Read<DistributionJobAnswer>(json);
                JsonOrText.Print(parsed, common, json, report => DistributionText.Show(report, job));
                return job.State == "done" ? ExitCode.Ok : throw new ToolException(ExitCode.Failed, Failure(job));
            }
        );
        return command;
    }

    // Before anything is sent.
    private static void CheckCode(int code, DistributionTrees kind, TorusShape shape)
    {
        int trees = kind == DistributionTrees.Six ? DisjointTrees.For(shape).Trees.Count : 1,
            most = DistributionRequest.MostCodeOf(trees);
        if (code <= most)
        {
            return;
        }

        string has =
            kind == DistributionTrees.Six ? $"{shape} has {trees}" : $"--trees {kind} is one".ToLowerInvariant();
        throw new ToolException(
            ExitCode.Usage,
            most == 0
                ? $"--code {code} needs three trees or more, one of them for parity, and {has}: leave --code out."
                : $"--code {code} is too much: {has} trees, of which {most} at most can carry parity."
        );
    }

    private static FileStream Open(string path)
    {
        try
        {
            return File.OpenRead(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ToolException(ExitCode.Usage, $"FILE '{path}' cannot be read: {e.Message}");
        }
    }

    // To its end. Who goes meanwhile ends the job.
    private static async Task<string> FollowAsync(
        DistributionHost host,
        string source,
        string id,
        ParseResult parsed,
        CancellationToken cancel
    )
    {
        using var progress = new ProgressLine(parsed.InvocationConfiguration.Error);
        try
        {
            while (true)
            {
                string json = await host.AskAsync(source, $"status?job={id}", cancel);
                DistributionJobAnswer job = host.Read<DistributionJobAnswer>(json);
                if (!job.IsRunning)
                {
                    return json;
                }

                progress.Show(() => DistributionText.Line(job));
                await Task.Delay(Between, cancel);
            }
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            await host.AskAsync(source, $"cancel?job={id}", CancellationToken.None);
            throw;
        }
    }

    private static string Failure(DistributionJobAnswer job)
    {
        DistributionMemberAnswer[] without = [.. job.Members.Where(static member => member.State != "done")];
        string which = string.Join("; ", without.Take(3).Select(static m => $"{m.Server}: {m.Words ?? m.State}"));
        return job.Words is { } words
            ? $"{job.Name} was not distributed: {words}."
            : $"{without.Length} of {job.Members.Count} servers do not have {job.Name}: {which}"
                + (without.Length > 3 ? "; ..." : ".");
    }
}
