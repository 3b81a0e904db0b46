namespace CamCube.Swarm.Exploration;

/// <summary>What one step of one server does: computed once for a state and an event, then looked up.</summary>
internal sealed class LocalStep
{
    /// <summary>The state after it.</summary>
    public int State { get; set; }

    /// <summary>The messages it sends.</summary>
    public int[] Sent { get; set; } = [];

    /// <summary>Whether it wrote.</summary>
    public bool Wrote { get; set; }

    /// <summary>How far it says that the log is committed; 0 for nothing.</summary>
    public int Commit { get; set; }

    /// <summary>How far it says that the log is applied; 0 for nothing.</summary>
    public int Applied { get; set; }

    /// <summary>Whether it led at the beginning of the step.</summary>
    public bool WasLeader { get; set; }

    /// <summary>Whether it leads now, and did not.</summary>
    public bool Leads { get; set; }

    /// <summary>Whether it leads no more.</summary>
    public bool Resigned { get; set; }

    /// <summary>The index noted for a read; -1 for none.</summary>
    public int ReadNoted { get; set; } = -1;

    /// <summary>Whether reads are confirmed.</summary>
    public bool ReadConfirmed { get; set; }

    /// <summary>Whether the data may go.</summary>
    public bool Dropped { get; set; }
}
