namespace CamCube.Administration.Answers;

/// <summary>Packets that a server has and may have.</summary>
/// <param name="InUse">Has.</param>
/// <param name="Budget">May have.</param>
public sealed record PacketsAnswer(int InUse, int Budget);
