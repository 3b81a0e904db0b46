using System.Diagnostics;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Runs;

/// <summary>Keeps the result file of a long run up to date in its folder.</summary>
public sealed class SwarmFolder
{
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(5);
    private readonly string _file;
    private readonly int _planned;
    private readonly List<SwarmFileRun> _runs = [];
    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private TimeSpan _next;

    /// <summary>Makes the folder and an empty result file.</summary>
    /// <exception cref="SwarmException">That is not possible.</exception>
    public SwarmFolder(string folder, int planned)
    {
        _planned = planned;
        _file = Path.Combine(folder, SwarmFile.FileName);
        if (File.Exists(folder))
        {
            throw SwarmException.OfUsage($"--out {folder} is a file; a folder is needed.");
        }

        try
        {
            Directory.CreateDirectory(folder);
            Write(isComplete: false);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw SwarmException.OfUsage($"--out {folder}: {e.Message}");
        }
    }

    /// <summary>Adds a run; writes now and then.</summary>
    public void Add(SwarmResult result)
    {
        _runs.Add(SwarmFileRun.Of(result));
        if (_watch.Elapsed >= _next)
        {
            Write(isComplete: false);
            _next = _watch.Elapsed + Pause;
        }
    }

    /// <summary>Writes all runs; marked as partial if some are missing.</summary>
    public void End() => Write(_runs.Count == _planned);

    private void Write(bool isComplete) =>
        new SwarmFile(SwarmFile.FormatName, SwarmDraw.Version, isComplete, _planned, [.. _runs]).Write(_file);
}
