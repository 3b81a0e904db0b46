namespace CamCube.Services.Messenger.Endpoints;

/// <summary>How the name of an endpoint is registered. Only the registrar writes it.</summary>
internal sealed class Registration
{
    /// <summary>Number of the opening: grows within a run of the messenger.</summary>
    public ulong Opening { get; set; }

    /// <summary>When the root is asked next; what waits for another time is out of date.</summary>
    public long DueNanos { get; set; }

    /// <summary>Time between the last two questions without an answer.</summary>
    public long PauseNanos { get; set; }

    /// <summary>Until when to go on asking for a name that another has.</summary>
    public long PatientUntilNanos { get; set; }

    /// <summary>The root that has confirmed it.</summary>
    public Coordinate Root { get; set; }

    /// <summary>Run of that root, as the view had it.</summary>
    public ulong RootRun { get; set; }

    /// <summary>Whether a root has confirmed it since the roots last changed.</summary>
    public bool IsConfirmed { get; set; }
}
