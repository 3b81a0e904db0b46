namespace CamCube.Services.Messenger.Counting;

/// <summary>What one endpoint counts.</summary>
/// <param name="Received">Messages that it was given.</param>
/// <param name="Dropped">Messages that were dropped because too many waited.</param>
/// <param name="Windows">Windows that are posted now.</param>
internal readonly record struct EndpointCounts(Counter Received, Counter Dropped, Counter Windows);
