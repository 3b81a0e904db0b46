using System.ComponentModel;
using System.Diagnostics;
using System.Text.RegularExpressions;

namespace CamCube.Tool.Dev;

/// <summary>Builds a project into a folder of its own, so that neither other builds nor tests touch what the cube
/// loads.</summary>
internal sealed partial class ProjectBuild(DevOptions options, TimeProvider time)
{
    private const int MostLines = 12;
    private readonly string _folder = Path.GetDirectoryName(options.Project)!;

    /// <summary>Where the output goes.</summary>
    public string Output => Path.Combine(_folder, "obj", "camcube-dev");

    /// <summary>The assembly.</summary>
    public string? Assembly
    {
        get
        {
            // A .deps.json stands beside the assemblies of projects; those that it refers to may be here, too.
            string named = Path.Combine(Output, $"{Path.GetFileNameWithoutExtension(options.Project)}.dll");
            if (File.Exists(named) || !Directory.Exists(Output))
            {
                return File.Exists(named) ? named : null;
            }

            string[] main =
            [
                .. Directory
                    .GetFiles(Output, "*.runtimeconfig.json")
                    .Select(file => $"{file[..^".runtimeconfig.json".Length]}.dll")
                    .Where(File.Exists),
            ];
            return main is [var one] ? one : null;
        }
    }

    /// <summary>Builds.</summary>
    /// <param name="restores">Whether packages may have changed.</param>
    /// <param name="cancel">Ends the build.</param>
    public async Task<BuildResult> RunAsync(bool restores, CancellationToken cancel)
    {
        long began = time.GetTimestamp();
        (bool isOk, List<string> lines) = await RunDotnetAsync(restores, cancel);
        return new BuildResult(isOk, lines, time.GetElapsedTime(began));
    }

    private async Task<(bool IsOk, List<string> Lines)> RunDotnetAsync(bool restores, CancellationToken cancel)
    {
        string[] words =
        [
            "build",
            options.Project,
            "-c",
            options.Configuration,
            "-o",
            Output,
            "-nologo",
            "-v:q",
            "-tl:off",
            "-clp:NoSummary",
            .. restores ? Array.Empty<string>() : ["--no-restore"],
        ];
        var start = new ProcessStartInfo("dotnet", words)
        {
            WorkingDirectory = _folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        start.Environment["DOTNET_NOLOGO"] = "1";
        using CancellationTokenSource late = new(options.BuildTimeout, time);
        using CancellationTokenSource end = CancellationTokenSource.CreateLinkedTokenSource(cancel, late.Token);
        Process process;
        try
        {
            process = Process.Start(start)!;
        }
        catch (Win32Exception e)
        {
            return (false, [$"dotnet, which builds {options.Project}, does not start: {e.Message}"]);
        }

        using (process)
        {
            process.StandardInput.Close();
            Task<string> output = process.StandardOutput.ReadToEndAsync(end.Token),
                errors = process.StandardError.ReadToEndAsync(end.Token);
            try
            {
                // Its helpers may keep the pipes open after its end: they are read no longer than it lives.
                await process.WaitForExitAsync(end.Token);
                return (process.ExitCode == 0, Short(await output + await errors, process.ExitCode));
            }
            catch (OperationCanceledException)
            {
                Kill(process);
                await ((Task)output).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                await ((Task)errors).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                cancel.ThrowIfCancellationRequested();
                return (false, [$"the build did not end within {options.BuildTimeout.TotalSeconds:0.###} s."]);
            }
        }
    }

    private static void Kill(Process process)
    {
        try
        {
            process.Kill(entireProcessTree: true);
        }
        catch (Exception e) when (e is InvalidOperationException or Win32Exception or AggregateException)
        {
            // It has ended.
        }
    }

    // "/long/path/Hello.cs(12,5): error CS1002: ; expected [/long/path/Hello.csproj]", once for each time it is said.
    private List<string> Short(string text, int exitCode)
    {
        string[] all = text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        string[] said = [.. all.Select(Message).OfType<string>().Distinct(StringComparer.Ordinal)];
        if (said.Length == 0 && exitCode != 0)
        {
            said = all.Length > 0 ? all : [$"dotnet build ended with {exitCode} and says nothing."];
        }

        List<string> lines =
        [
            .. said.OrderBy(line => !line.Contains(": error ", StringComparison.Ordinal)).Take(MostLines),
        ];
        if (said.Length > MostLines)
        {
            lines.Add($"and {said.Length - MostLines} more.");
        }

        return lines;
    }

    private string? Message(string line)
    {
        Match match = MessagePattern().Match(line);
        if (!match.Success)
        {
            return null;
        }

        string file = match.Groups["file"].Value;
        string place = Path.IsPathRooted(file) ? Path.GetRelativePath(_folder, file) : file;
        return $"{(place.StartsWith("..", StringComparison.Ordinal) ? file : place)}{match.Groups["rest"].Value}";
    }

    [GeneratedRegex(@"^(?<file>[^:(]*(:[\\/][^:(]*)?)(?<rest>(\([\d,]+\))?\s?: (error|warning) .*?)(\s\[[^\[\]]*\])?$")]
    private static partial Regex MessagePattern();
}
