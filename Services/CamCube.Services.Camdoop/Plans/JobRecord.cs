namespace CamCube.Services.Camdoop.Plans;

/// <summary>What is kept of a job from its beginning on: the same for whoever tracks it. JSON in the file
/// store.</summary>
/// <param name="Description">What it is to do.</param>
/// <param name="BegunMilliseconds">When it was begun, by the clock of who was asked.</param>
/// <param name="SortBytes">Bytes of pairs that are sorted at once.</param>
/// <param name="MostRecord">Bytes of the longest pair.</param>
internal sealed record JobRecord(JobDescription Description, long BegunMilliseconds, int SortBytes, int MostRecord)
    : IChecked
{
    /// <inheritdoc/>
    public bool IsSound =>
        SortBytes > 0
        && MostRecord > 0
        && BegunMilliseconds >= 0
        && BegunMilliseconds <= DateTimeOffset.MaxValue.ToUnixTimeMilliseconds()
        && JobChecks.WrongOf(Description) is null;
}
