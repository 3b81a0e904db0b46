namespace CamCube.Experiments.Streams;

/// <summary>Where the streams of a crowd come from that all leave by one link.</summary>
internal enum Crowd
{
    /// <summary>All from the server at which the link begins: it makes their packets in turn.</summary>
    OfOne,

    /// <summary>From the servers behind it, whose packets meet in its queue.</summary>
    Passing,

    /// <summary>Every other one from the server at which the link begins, the rest from those behind it.</summary>
    Both,
}
