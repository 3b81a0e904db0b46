using CamCube.Administration.Answers;
using CamCube.Host;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;
using Microsoft.Extensions.Logging;

namespace CamCube.Tool.Dev;

/// <summary>Builds a service, runs it in a cube of this process, and puts each new build in its place.</summary>
/// <param name="options">What to run.</param>
/// <param name="voice">Says what goes on.</param>
/// <param name="output">Standard output of the host.</param>
/// <param name="errors">Standard error of the host.</param>
/// <param name="time">The clock.</param>
/// <param name="log">Also gets the host's log; null: nobody does.</param>
internal sealed class DevSession(
    DevOptions options,
    IDevVoice voice,
    TextWriter output,
    TextWriter errors,
    TimeProvider time,
    ILoggerProvider? log
)
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
            voice.Building(options.Project);
            (string assembly, string service) = await FirstBuildAsync(cancel);
            using CancellationTokenSource end = CancellationTokenSource.CreateLinkedTokenSource(cancel);
            Task<int> host = CamCubeHost.RunAsync(
                Arguments(assembly, service),
                "camcube",
                $"camcube dev {options.Project} --",
                output,
                errors,
                log,
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

            voice.Waits();
            await _watch.ChangeAsync(cancel);
        }
    }

    // Null: it has been said what is wrong.
    private (string Assembly, string Service)? FindService()
    {
        if (_build.Assembly is not { } assembly)
        {
            voice.Failed($"the build left no assembly {_name}.dll in {_build.Output}.");
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

            voice.Failed($"{_name} has no service '{wanted}'; {(names.Count == 0 ? "it has none" : $"it has {all}")}.");
            return null;
        }

        switch (names)
        {
            case [var only]:
                return (assembly, only);
            case []:
                voice.Failed($"{_name} has no class with [CamCubeService(id, \"name\")].");
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
        voice.Built(_name, result);
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
        voice.Started(service, options.Shape.Count, HttpRoot.ToString().TrimEnd('/'));
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
        voice.Changed(changed);
        bool isCode = changed.Any(file => file != options.Settings);
        if (
            isCode
            && await BuildAsync(restores: changed.Any(file => !file.EndsWith(".cs", StringComparison.Ordinal)), cancel)
                is null
        )
        {
            voice.Failed($"{service} goes on as it was.");
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
            voice.Reloaded(answer, time.GetElapsedTime(began));
        }
        catch (ToolException e)
        {
            voice.Failed($"{service} goes on as it was: {e.Message}");
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
            voice.Examples([.. CallExamples.Of(commands, options.Shape, host), $"camcube status{host}"]);
        }
        catch (ToolException e)
        {
            voice.Failed(e.Message);
        }
    }
}
