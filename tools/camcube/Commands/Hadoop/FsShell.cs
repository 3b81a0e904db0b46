using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Hadoop;

/// <summary>What commands of <c>hadoop fs</c> have: the store, who asks, and where to print.</summary>
/// <param name="connect">Finds the store.</param>
/// <param name="home">The user's directory.</param>
/// <param name="output">Standard output.</param>
/// <param name="error">Standard error.</param>
/// <param name="cancel">Ctrl+C.</param>
internal sealed class FsShell(
    Func<Task<FilesClient>> connect,
    string home,
    TextWriter output,
    TextWriter error,
    CancellationToken cancel
) : IDisposable
{
    /// <summary>How Hadoop ends after a command line that is none.</summary>
    public const int WrongUsage = 255;

    private FilesClient? _client;
    private string _name = "fs";

    /// <summary>The store.</summary>
    public FilesClient Client => _client!;

    /// <summary>Ctrl+C.</summary>
    public CancellationToken Cancel => cancel;

    /// <summary>Runs a command line. Answers the exit code.</summary>
    public async Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        FsLine line;
        try
        {
            line = FsLine.Parse(arguments);
        }
        catch (FsUsage e)
        {
            await error.WriteLineAsync(e.Message);
            return WrongUsage;
        }

        _name = line.Command.Name[1..];
        if (line.Command.Name != "-help")
        {
            _client = await connect();
        }

        try
        {
            return await line.Command.Run(this, line) ? ExitCode.Ok : ExitCode.Failed;
        }
        catch (FsUsage e)
        {
            await error.WriteLineAsync(e.Message);
            return WrongUsage;
        }
    }

    /// <summary>A path.</summary>
    public FsPath PathOf(string text) => FsPath.Of(text, home);

    /// <summary>Prints a line.</summary>
    public void Line(string text) => output.WriteLine(text);

    /// <summary>Prints the commands.</summary>
    public bool Help()
    {
        foreach (FsCommand command in FsCommand.All)
        {
            Line($"  {command.Usage}");
            Line($"      {command.Does}");
        }

        return true;
    }

    /// <summary>Does the same with several paths; one that fails is said, and the others follow. Answers whether none
    /// failed.</summary>
    public async Task<bool> EachAsync(IEnumerable<string> paths, Func<string, Task> one)
    {
        bool isWell = true;
        foreach (string path in paths)
        {
            isWell = await TryAsync(() => one(path)) && isWell;
        }

        return isWell;
    }

    /// <summary>The same with all that some paths with patterns mean.</summary>
    public Task<bool> EachFoundAsync(IEnumerable<string> paths, Func<FsPath, FileFacts, Task> one) =>
        EachFoundAsync(paths, isForced: false, one);

    /// <summary>The same.</summary>
    /// <param name="paths">The paths.</param>
    /// <param name="isForced">Whether what is not there is no failure.</param>
    /// <param name="one">What is done.</param>
    public async Task<bool> EachFoundAsync(IEnumerable<string> paths, bool isForced, Func<FsPath, FileFacts, Task> one)
    {
        bool isWell = true;
        foreach (string text in paths)
        {
            bool areWell = true;
            bool isFound = await TryAsync(async () =>
            {
                FsPath path = PathOf(text);
                IReadOnlyList<FileFacts> all = await FindAsync(path);
                if (all.Count == 0 && !isForced)
                {
                    throw new FsFailure(text, FsFailure.None);
                }

                foreach (FileFacts found in all)
                {
                    areWell = await TryAsync(() => one(path, found)) && areWell;
                }
            });
            isWell = isWell && isFound && areWell;
        }

        return isWell;
    }

    /// <inheritdoc/>
    public void Dispose() => _client?.Dispose();

    private async Task<IReadOnlyList<FileFacts>> FindAsync(FsPath path)
    {
        try
        {
            return await Client.FindAsync(path.Path, cancel);
        }
        catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
        {
            return [];
        }
    }

    // Without an answer there is nothing to be said of the other paths either.
    private async Task<bool> TryAsync(Func<Task> act)
    {
        try
        {
            await act();
            return true;
        }
        catch (FsFailure e)
        {
            await error.WriteLineAsync($"{_name}: {e.Message}");
        }
        catch (ToolException e) when (e.ExitCode != ExitCode.Unavailable)
        {
            await error.WriteLineAsync($"{_name}: {e.Message}");
        }

        return false;
    }
}
