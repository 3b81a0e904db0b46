using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>From frames to what they say.</summary>
internal static class SayExtensions
{
    /// <summary>What a frame says; of data and others nothing.</summary>
    public static Say ToSay(this FrameType type) =>
        type switch
        {
            FrameType.Credit => Say.Credit,
            FrameType.Reset => Say.Reset,
            FrameType.Stop => Say.Stop,
            FrameType.Blocked => Say.Blocked,
            _ => Say.Nothing,
        };
}
