using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Resolving;

/// <summary>Who is told of messages on their way.</summary>
internal interface IUnsent
{
    /// <summary>A message goes to a place now.</summary>
    void OnPlaced(in ShortNote message, in EndpointPlace place);

    /// <summary>A message that was accepted is given up.</summary>
    /// <param name="message">What it was.</param>
    /// <param name="isUnresolved">No place was found; false: it could not be sent.</param>
    void OnUnsent(in ShortNote message, bool isUnresolved);
}
