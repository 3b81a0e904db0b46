namespace CamCube.Services.Tunnel.Cards;

/// <summary>A card cannot be made; the message is one line for people that says what to do.</summary>
internal sealed class CardException(string message) : Exception(message);
