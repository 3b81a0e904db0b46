namespace CamCube.Chaos.Jobs;

/// <summary>When a job's fault begins and ends. One task.</summary>
/// <param name="tormentor">Does it.</param>
/// <param name="fault">The fault.</param>
/// <param name="seconds">What the job takes undisturbed.</param>
internal sealed class JobCourse(JobTormentor tormentor, JobFault fault, double seconds)
{
    private readonly TimeSpan _at = TimeSpan.FromSeconds(fault.At * seconds);

    /// <summary>Whether it was done: a job may end before.</summary>
    public bool IsBegun { get; private set; }

    /// <summary>What was done, in words; before that, that nothing was.</summary>
    public string Words { get; private set; } = "no fault";

    /// <summary>Does what is due.</summary>
    /// <param name="job">The job's name.</param>
    /// <param name="elapsed">How long it has run.</param>
    public void Step(string job, TimeSpan elapsed)
    {
        if (!IsBegun && elapsed >= _at)
        {
            IsBegun = true;
            Words = FormattableString.Invariant($"after {elapsed.TotalSeconds:0.0} s ") + tormentor.Begin(fault, job);
        }
        else if (IsBegun && elapsed >= _at + fault.Time)
        {
            tormentor.End();
        }
    }

    /// <summary>Ends what is left.</summary>
    public void End() => tormentor.End();
}
