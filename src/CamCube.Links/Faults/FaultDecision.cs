namespace CamCube.Faults;

/// <summary>What becomes of one packet, by all rules that fit it.</summary>
internal struct FaultDecision
{
    /// <summary>Lost by chance or by choice.</summary>
    public bool IsLost;

    /// <summary>Lost because the link is cut.</summary>
    public bool IsCut;

    /// <summary>One bit turns over.</summary>
    public bool IsCorrupted;

    /// <summary>Further copies.</summary>
    public int Copies;

    /// <summary>Comes later, and what follows it too.</summary>
    public long DelayNanos;

    /// <summary>Comes later, and what follows it may overtake it.</summary>
    public long HoldBackNanos;

    /// <summary>Occupies the link at least this long.</summary>
    public long BusyNanos;
}
