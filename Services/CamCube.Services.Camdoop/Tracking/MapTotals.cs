using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>What a job's map tasks have counted, written down once all are done: who ran one may be lost when nobody
/// needs its pairs any more, and who leads the job with it. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="book">What is kept of jobs.</param>
/// <param name="number">The job's number.</param>
/// <param name="onWritten">Called when it is.</param>
internal sealed class MapTotals(IServer server, JobBook book, ulong number, Action onWritten)
{
    private const string Name = "mapped";
    private bool _isWriting;

    /// <summary>Reads it.</summary>
    /// <returns>False: not now.</returns>
    public async ValueTask<bool> LoadAsync(Assignment assignment)
    {
        (FileStatus status, EndRecord? record) = await book.ReadAsync<EndRecord>(number, Name);
        assignment.MapCounters = record?.Ready?.Counters;
        return status is FileStatus.Done or FileStatus.NotFound or FileStatus.Exists;
    }

    /// <summary>Has it written, if that is due and has not begun: reduces do not wait for it.</summary>
    public void Look(Assignment assignment)
    {
        if (!_isWriting && assignment.NewMapCounters is { } counters)
        {
            _isWriting = true;
            server.Loop.Run(() => WriteAsync(assignment, counters));
        }
    }

    private async ValueTask WriteAsync(Assignment assignment, IReadOnlyList<JobCounter> counters)
    {
        var state = new JobState(JobName.Of(number), JobPhase.Reducing) { Counters = counters };
        FileStatus written = await book.WriteAsync(number, Name, new EndRecord(JobPhase.Reducing) { Ready = state });
        if (written is FileStatus.Exists or FileStatus.Unknown)
        {
            await LoadAsync(assignment);
        }

        // One that is there and cannot be read says nothing.
        _isWriting = false;
        if (written is FileStatus.Done or FileStatus.Exists)
        {
            assignment.MapCounters ??= counters;
            onWritten();
        }
    }
}
