using CamCube.Administration.Answers;
using CamCube.Host;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Dev;

/// <summary>Builds a service, runs it in a cube of this process, and puts each new build in its place.</summary>
internal sealed class DevSession(DevOptions options, TextWriter output, TextWriter errors, TimeProvider time)
{
    private readonly ProjectBuild _build = new(options, time);
    private readonly SourceWatch _watch = new(options, time);
    private readonly string _name = Path.GetFileNameWithoutExtension(options.Project);

    /// <summary>Runs until it is cancelled, or the cube ends by itself.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(CancellationToken cancel)
    {
        try
        {
            Say($"builds {options.Project}; Ctrl-C ends this.");
            (string assembly, string service) = await FirstBuildAsync(cancel);
            using CancellationTokenSource end = CancellationTokenSource.CreateLinkedTokenSource(cancel);
            Task<int> host = CamCubeHost.RunAsync(
                Arguments(assembly, service),
                "camcube",
                $"camcube dev {options.Project} --",
                output,
                errors,
                end.Token
            );
            try
            {
                using var asked = new ToolHost(new HostAddress(HttpRoot));
                return await ReadyAsync(asked, host, cancel)
                    ? await WatchAsync(asked, service, host, cancel)
                    : await host;
            }
            finally
            {
                await end.CancelAsync();
                await host;
            }
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            return ExitCode.Ok;
        }
    }

    private Uri HttpRoot => new($"http://127.0.0.1:{options.Port ?? HostAddress.Standard.Root.Port}");

    // Settings that name the service come first, so that one who says more of it has the last word.
    private string[] Arguments(string assembly, string service) =>
        [
            $"--CamCube:Services:{service}:Assembly={assembly}",
            $"--CamCube:Shape={options.Shape}",
            .. options.Port is { } port
                ? [$"--CamCube:Http:Port={port}", $"--CamCube:FrontEnds:memcached:Port={port + options.Shape.Count}"]
                : Array.Empty<string>(),
            .. options.Settings is { } settings ? [$"--settings={settings}"] : Array.Empty<string>(),
            .. options.Further,
        ];

    private async Task<(string Assembly, string Service)> FirstBuildAsync(CancellationToken cancel)
    {
        while (true)
        {
            _watch.Look();
            if (await BuildAsync(restores: true, cancel) is not null && FindService() is { } found)
            {
                return found;
            }

            Say("waits for a change.");
            await _watch.ChangeAsync(cancel);
        }
    }

    // Null: it has been said what is wrong.
    private (string Assembly, string Service)? FindService()
    {
        if (_build.Assembly is not { } assembly)
        {
            Say($"the build left no assembly {_name}.dll in {_build.Output}.");
            return null;
        }

        IReadOnlyList<string> names = BuiltService.NamesIn(assembly);
        string all = string.Join(", ", names);
        if (options.Service is { } wanted)
        {
            if (names.Contains(wanted))
            {
                return (assembly, wanted);
            }

            Say($"{_name} has no service '{wanted}'; {(names.Count == 0 ? "it has none" : $"it has {all}")}.");
            return null;
        }

        switch (names)
        {
            case [var only]:
                return (assembly, only);
            case []:
                Say($"{_name} has no class with [CamCubeService(id, \"name\")].");
                return null;
            default:
                throw new ToolException(
                    ExitCode.Usage,
                    $"{_name} has {names.Count} services: {all}. Say which: --service {names[0]}"
                );
        }
    }

    private async Task<BuildResult?> BuildAsync(bool restores, CancellationToken cancel)
    {
        BuildResult result = await _build.RunAsync(restores, cancel);
        foreach (string line in result.Lines)
        {
            output.WriteLine($"  {line}");
        }

        if (!result.IsOk)
        {
            Say($"{_name} is not built.");
        }

        output.Flush();
        return result.IsOk ? result : null;
    }

    private async Task<bool> ReadyAsync(ToolHost asked, Task<int> host, CancellationToken cancel)
    {
        while (!host.IsCompleted)
        {
            try
            {
                if ((await asked.StatusAsync(cancel)).Phase == "ready")
                {
                    return true;
                }
            }
            catch (ToolException)
            {
                // Not yet.
            }

            await Task.WhenAny(host, Task.Delay(TimeSpan.FromMilliseconds(50), time, cancel));
        }

        return false;
    }

    private async Task<int> WatchAsync(ToolHost asked, string service, Task<int> host, CancellationToken cancel)
    {
        Say($"ready: {service} runs on {options.Shape.Count} servers, {HttpRoot.ToString().TrimEnd('/')}");
        await SayExamplesAsync(asked, service, cancel);
        using CancellationTokenSource end = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        while (true)
        {
            Task<IReadOnlyList<string>> change = _watch.ChangeAsync(end.Token);
            await Task.WhenAny(change, host);
            if (host.IsCompleted)
            {
                await end.CancelAsync();
                await ((Task)change).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                return await host;
            }

            await UpdateAsync(asked, service, await change, cancel);
        }
    }

    private async Task UpdateAsync(
        ToolHost asked,
        string service,
        IReadOnlyList<string> changed,
        CancellationToken cancel
    )
    {
        long began = time.GetTimestamp();
        string more = changed.Count > 1 ? $" and {changed.Count - 1} more" : "";
        Say($"{Path.GetFileName(changed[0])}{more} changed.");
        bool isCode = changed.Any(file => file != options.Settings);
        if (
            isCode
            && await BuildAsync(restores: changed.Any(file => !file.EndsWith(".cs", StringComparison.Ordinal)), cancel)
                is null
        )
        {
            Say($"{service} goes on as it was.");
            return;
        }

        try
        {
            string json = await asked.PostAsync(
                $"/api/services/{Uri.EscapeDataString(service)}/reload",
                TimeSpan.FromMinutes(2),
                cancel
            );
            ReloadAnswer answer = asked.Read<ReloadAnswer>(json);
            ReloadText.Show(new Report(output), answer);
            Say(
                answer.Problem is null
                    ? $"reloaded after {time.GetElapsedTime(began).TotalSeconds:0.0} s."
                    : $"the reload did not go well: {answer.Problem}"
            );
        }
        catch (ToolException e)
        {
            Say($"{service} goes on as it was: {e.Message}");
        }
    }

    private async Task SayExamplesAsync(ToolHost asked, string service, CancellationToken cancel)
    {
        string host = HttpRoot == options.UsualHost ? "" : $" --host {HttpRoot.ToString().TrimEnd('/')}";
        try
        {
            CommandsAnswer commands = asked.Read<CommandsAnswer>(
                await asked.GetAsync($"/api/servers/0/services/{Uri.EscapeDataString(service)}/commands", cancel)
            );
            foreach (string line in CallExamples.Of(commands, options.Shape, host))
            {
                output.WriteLine($"  {line}");
            }

            output.WriteLine($"  camcube status{host}");
            output.Flush();
        }
        catch (ToolException e)
        {
            Say(e.Message);
        }
    }

    private void Say(string line)
    {
        output.WriteLine($"camcube dev: {line}");
        output.Flush();
    }
}
