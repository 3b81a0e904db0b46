namespace CamCube.Services.Workloads.Load;

/// <summary>Bytes of body of a load's packets.</summary>
internal static class LoadSize
{
    /// <summary>How many a load sends; refused if they do not fit.</summary>
    /// <param name="wanted">As the command says, if it does.</param>
    /// <param name="usual">Where it does not; less if they do not fit.</param>
    /// <param name="most">What fits into a packet.</param>
    /// <param name="size">How many.</param>
    /// <param name="refusal">Why not.</param>
    public static bool TryGet(int? wanted, int usual, int most, out int size, out CommandResult refusal)
    {
        size = wanted ?? Math.Min(usual, most);
        refusal = CommandResult.Refused(
            $"size={size} is more than the {most} bytes of body that fit into a packet here."
        );
        return size <= most;
    }
}
