namespace CamCube.Services.Camdoop.Tests.FrontEnds;

/// <summary>MapReduce with one job, that does as it is told.</summary>
[CamCubeService(0x7F19, "fake-camdoop")]
public sealed class FakeCamdoop : CamCubeService, ICamdoop
{
    public const string Job = "job_1764420000000_0001";
    private readonly TaskCompletionSource _go = new();

    /// <summary>How everything ends from now on; null: as it does.</summary>
    public JobStatus? Ends { get; set; }

    /// <summary>Whether answers wait until <see cref="Go"/>.</summary>
    public bool Waits { get; set; }

    /// <summary>Questions for a job so far.</summary>
    public int Asked { get; private set; }

    /// <summary>Questions for all jobs so far.</summary>
    public int Listed { get; private set; }

    private static JobState State =>
        new(Job, JobPhase.Reducing)
        {
            Title = "<b>words</b>",
            Output = "/out",
            Failures =
            [
                new AttemptFailure("attempt_1764420000000_0001_m_000000_0", new Coordinate(0, 0, 0), "it failed")
                {
                    ErrorText = "a secret of the program",
                },
            ],
        };

    /// <summary>Answers go on.</summary>
    public void Go() => _go.TrySetResult();

    /// <inheritdoc/>
    public ValueTask<JobAnswer> SubmitAsync(JobDescription job) => throw new InvalidOperationException("read-only");

    /// <inheritdoc/>
    public ValueTask<JobAnswer> CancelAsync(string job) => throw new InvalidOperationException("read-only");

    /// <inheritdoc/>
    public async ValueTask<JobAnswer> FindAsync(string job)
    {
        Asked++;
        if (Waits)
        {
            await _go.Task;
        }

        return Ends is { } end ? new JobAnswer(end)
            : job == Job ? new JobAnswer(JobStatus.Done, State)
            : new JobAnswer(JobStatus.NotFound);
    }

    /// <inheritdoc/>
    public ValueTask<JobReportAnswer> ReportAsync(string job) =>
        new(
            new JobReportAnswer(
                JobStatus.Done,
                new JobReport(job, JobPhase.Reducing)
                {
                    Links = [new LinkLoad(new Coordinate(2, 0, 0), Link.XPlus, 5, 7)],
                    Keys = new KeySkew(9, 1, [new HeavyKey("</script>", 9, 3, 4)]),
                }
            )
        );

    /// <inheritdoc/>
    public ValueTask<JobListAnswer> ListAsync()
    {
        Listed++;
        return new(new JobListAnswer(Ends ?? JobStatus.Done, Ends is null ? [State with { Failures = [] }] : []));
    }
}
