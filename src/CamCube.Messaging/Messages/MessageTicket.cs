namespace CamCube.Messaging;

/// <summary>
/// What <see cref="MessageChannel{THeader}.Send"/> gives: hand it to <see cref="MessageChannel{THeader}.Cancel"/> to
/// end the loan of the bytes. The default is a message whose bytes are not needed any more.
/// </summary>
/// <param name="Sequence">Number of the message; 0 for none.</param>
public readonly record struct MessageTicket(uint Sequence);
