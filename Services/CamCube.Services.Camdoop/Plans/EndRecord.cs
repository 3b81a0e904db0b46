namespace CamCube.Services.Camdoop.Plans;

/// <summary>How a job is to end: said once, before it does. JSON in the file store.</summary>
/// <param name="Phase">Committing: all was done, and its output gets names; Failed or Cancelled.</param>
/// <param name="Words">Why it failed; null: it did not.</param>
internal sealed record EndRecord(JobPhase Phase, string? Words = null)
{
    /// <summary>Of Committing: how the job was when all was done, with its counters: servers that are lost from then on
    /// take nothing of that with them.</summary>
    public JobState? Ready { get; init; }

    /// <summary>Of Committing: what it had cost by then.</summary>
    public JobReport? Cost { get; init; }
}
