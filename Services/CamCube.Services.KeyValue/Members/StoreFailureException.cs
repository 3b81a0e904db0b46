namespace CamCube.Services.KeyValue.Members;

/// <summary>The store cannot go on: its log is another's, or its disk does not work. The host names the service, and
/// tries again.</summary>
/// <param name="message">Why, in one line for people.</param>
internal sealed class StoreFailureException(string message) : Exception(message);
