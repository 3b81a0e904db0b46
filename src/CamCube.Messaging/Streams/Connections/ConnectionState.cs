namespace CamCube.Messaging.Streams.Connections;

/// <summary>Where a connection is.</summary>
internal enum ConnectionState : byte
{
    /// <summary>The opener asks, and knows nothing of the acceptor's run.</summary>
    Greeting,

    /// <summary>Both runs are known.</summary>
    Open,

    /// <summary>Over: nothing of it is sent or taken.</summary>
    Over,
}
