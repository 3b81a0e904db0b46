namespace CamCube.Services.KeyValue.Members;

/// <summary>How many answers the groups of a server may remember together. While there are fewer, a busy group may have
/// many; then each has its share. Loop only.</summary>
/// <param name="most">All groups together.</param>
internal sealed class AnswerRoom(int most)
{
    /// <summary>So that all fit into one record.</summary>
    private const int MostOfGroup = 4_096;

    private const int Shares = 256;

    /// <summary>Answers that are remembered.</summary>
    public int Kept { get; set; }

    /// <summary>How many a group may have now.</summary>
    public int OfGroup => Math.Min(MostOfGroup, Kept < most ? most : Math.Max(1, most / Shares));
}
