namespace CamCube.Services.Camdoop.Wire;

/// <summary>What a message says of its job. The numbers are in the wire format.</summary>
public enum CamdoopKind : byte
{
    /// <summary>Tracker to server: this is what you are to do. A <c>Plan</c> as JSON; answered by a report.</summary>
    Sync = 1,

    /// <summary>Server to tracker, or who may be it: something has changed here, or nobody asks for this job. Not
    /// answered.</summary>
    Changed = 2,

    /// <summary>To the tracker: how is the job? Answered by a <see cref="CamdoopHeader.Status"/> and a
    /// <see cref="JobState"/> as JSON.</summary>
    Status = 3,

    /// <summary>To the tracker: end the job. Answered as <see cref="Status"/>.</summary>
    Cancel = 4,

    /// <summary>To the tracker: what has the job cost? Answered by a <see cref="CamdoopHeader.Status"/> and a
    /// <see cref="JobReport"/> as JSON.</summary>
    Report = 5,
}
