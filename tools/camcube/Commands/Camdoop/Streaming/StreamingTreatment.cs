namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>What becomes of an option of Hadoop Streaming.</summary>
internal enum StreamingTreatment : byte
{
    /// <summary>It does what it does there.</summary>
    Honoured = 0,

    /// <summary>It is taken and changes nothing, but for the environment of programs.</summary>
    Ignored = 1,

    /// <summary>The command line is refused, and the option named.</summary>
    Refused = 2,
}
