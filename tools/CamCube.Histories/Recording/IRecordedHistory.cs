namespace CamCube.Histories.Recording;

/// <summary>What clients asked and were told, written down while it happens, and what can be said of it afterwards.
/// </summary>
public interface IRecordedHistory
{
    /// <summary>What it is a history of, for messages.</summary>
    string Name { get; }

    /// <summary>Operations so far, those too that have not ended.</summary>
    int Operations { get; }

    /// <summary>Whether what was told can be true. Ends, whatever the history: beyond its limit it is not decided.
    /// Operations that have not ended count as such whose end nobody knows.</summary>
    HistoryFinding Check();
}
