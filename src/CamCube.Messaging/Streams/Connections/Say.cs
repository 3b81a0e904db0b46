namespace CamCube.Messaging.Streams.Connections;

/// <summary>What a stream has to say beside its bytes.</summary>
[Flags]
internal enum Say : byte
{
    Nothing = 0,

    /// <summary>What stream it is.</summary>
    First = 1,
    Credit = 2,
    Reset = 4,
    Stop = 8,
    Blocked = 16,
}
