namespace CamCube.Messaging.Streams.Connections;

/// <summary>What a handler is told of a stream.</summary>
internal enum StreamNews : byte
{
    Incoming,
    Readable,
    Writable,
    Ended,
}
