namespace CamCube.Messaging.Streams.Connections;

/// <summary>Codes of the library in frames; all others are the service's.</summary>
internal static class StreamCodes
{
    /// <summary>Of a reset: the handler did not want the stream.</summary>
    public const uint Refused = uint.MaxValue;
}
