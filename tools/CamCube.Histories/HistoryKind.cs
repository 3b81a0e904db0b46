namespace CamCube.Histories;

/// <summary>What a client asked for.</summary>
public enum HistoryKind
{
    /// <summary>The value.</summary>
    Get,

    /// <summary>Another value.</summary>
    Put,

    /// <summary>No value.</summary>
    Delete,

    /// <summary>A number and what is there, which is a number too; nothing is 0.</summary>
    Add,

    /// <summary>Nothing: those who had the last values lost them, which they may. The key is what it was earlier, or
    /// there is no such key then.</summary>
    Loss,
}
