using CamCube.Services.Camdoop.Counting;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Wire;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>Makes reports of a job that is led here, of what its servers say, and writes the last one. Loop
/// only.</summary>
/// <param name="server">Who leads it.</param>
/// <param name="options">How often servers are asked.</param>
/// <param name="book">Keeps the last.</param>
/// <param name="line">Asks servers.</param>
/// <param name="counters">What the server counts.</param>
/// <param name="number">The job's number.</param>
internal sealed class JobReporter(
    IServer server,
    CamdoopOptions options,
    JobBook book,
    IServerLine line,
    CamdoopCounters counters,
    ulong number
)
{
    private Task<JobReport>? _now;
    private long _againNanos;
    private bool _isWritten;

    /// <summary>The report of a job that is over.</summary>
    /// <returns>Done with it; NotFound: it ended without; Unavailable.</returns>
    public async ValueTask<(JobStatus Status, JobReport? Report)> ReadAsync()
    {
        (FileStatus status, JobReport? report) = await book.ReadAsync<JobReport>(number, JobBook.ReportName);
        JobStatus answered =
            report is not null ? JobStatus.Done
            : status is FileStatus.NotFound or FileStatus.Exists ? JobStatus.NotFound
            : JobStatus.Unavailable;
        return (answered, report);
    }

    /// <summary>A report of now. Servers are asked once for all who want one meanwhile, and not again within
    /// <see cref="CamdoopOptions.SyncEvery"/>, however many look on.</summary>
    /// <param name="state">How the job is doing now.</param>
    /// <param name="assignment">Its tasks; null: it has none yet.</param>
    public async ValueTask<JobReport> NowAsync(JobState state, Assignment? assignment)
    {
        if (_now is null || (_now.IsCompleted && server.NowNanos >= _againNanos))
        {
            _againNanos = server.NowNanos + (long)options.SyncEvery.TotalNanoseconds;
            _now = MakeAsync(state, assignment).AsTask();
        }

        return await _now;
    }

    /// <summary>Writes the last report. It comes before the job's end is written, so that a job that has one has a
    /// report, whoever dies; no job fails for want of it.</summary>
    /// <param name="state">How the job ends.</param>
    /// <param name="assignment">Its tasks; null: it never had any.</param>
    /// <param name="cost">What it had cost when all was done; null: that is asked now.</param>
    public async ValueTask WriteAsync(JobState state, Assignment? assignment, JobReport? cost)
    {
        if (_isWritten)
        {
            return;
        }

        JobReport report = cost is null
            ? await MakeAsync(state, assignment)
            : cost with
            {
                Phase = state.Phase,
                Elapsed = state.Elapsed,
                Times = cost.Times with { Committing = state.Elapsed - DoneAfter(cost.Times) },
            };
        FileStatus written = await book.WriteAsync(number, JobBook.ReportName, report);
        _isWritten = written is FileStatus.Done or FileStatus.Exists;
    }

    private static TimeSpan? DoneAfter(JobTimes times) => times.Planning + times.Mapping + times.Reducing;

    /// <summary>Asks all servers, and makes a report of what they say.</summary>
    /// <param name="state">How the job is doing now.</param>
    /// <param name="assignment">Its tasks; null: it has none yet.</param>
    public async ValueTask<JobReport> MakeAsync(JobState state, Assignment? assignment)
    {
        var builder = new ReportBuilder(state, assignment, server.Shape, server.NowNanos);
        if (assignment is null)
        {
            return builder.Build();
        }

        counters.Reports.Add();
        Task<SyncReport?>[] asked = [.. assignment.Servers.Select((at, rank) => AskAsync(at, rank))];
        List<(Coordinate At, ServerMeasure Measure)> told = [];
        List<Coordinate> silent = [];
        for (int rank = 0; rank < asked.Length; rank++)
        {
            Coordinate at = server.Shape.At(rank);
            if (await asked[rank] is { Measure: { IsSound: true } measure })
            {
                told.Add((at, measure));
                builder.Add(at, measure);
            }
            else
            {
                silent.Add(at);
            }
        }

        if (silent.Count > 0)
        {
            builder.Miss($"no answer from {string.Join(" ", silent)}: what they counted of cables, pulls and keys");
        }

        // Who learnt of it after pairs began to flow had been lost, and has forgotten.
        long flow = told.Max(static t => t.Measure.FlowAgeNanos) ?? 0;
        Coordinate[] late = [.. told.Where(t => t.Measure.AgeNanos < flow).Select(static t => t.At)];
        if (late.Length > 0)
        {
            builder.Miss(
                $"{string.Join(" ", late)} came back after pairs began to flow: what they counted of cables and pulls "
                    + "before"
            );
        }

        return builder.Build();

        Task<SyncReport?> AskAsync(TrackedServer at, int rank) =>
            at is { IsKnown: true, IsSilent: false } && server.Topology.IsReachable(at.At)
                ? line.SyncAsync(number, assignment.OrderOf(rank) with { Measures = true }, at.At).AsTask()
                : Task.FromResult<SyncReport?>(null);
    }
}
