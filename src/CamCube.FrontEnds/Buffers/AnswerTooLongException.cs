namespace CamCube.FrontEnds.Buffers;

/// <summary>A protocol writes more than may wait to be sent. Its client is closed.</summary>
/// <param name="most">Bytes that may.</param>
public sealed class AnswerTooLongException(int most) : Exception($"Its answer is longer than {most} bytes.");
