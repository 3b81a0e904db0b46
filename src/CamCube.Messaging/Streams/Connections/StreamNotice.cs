namespace CamCube.Messaging.Streams.Connections;

/// <summary>News of a stream that nobody was told yet.</summary>
/// <param name="Stream">The stream.</param>
/// <param name="News">What happened.</param>
internal readonly record struct StreamNotice(StreamBody Stream, StreamNews News);
