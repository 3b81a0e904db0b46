namespace CamCube.Administration.Answers;

/// <summary>Why a host refused: problem details (RFC 9457).</summary>
/// <param name="Type">Always <c>about:blank</c>: the status says what kind it is.</param>
/// <param name="Title">The status in words.</param>
/// <param name="Status">The status.</param>
/// <param name="Detail">What is wrong, for people.</param>
public sealed record ProblemAnswer(string? Type, string? Title, int Status, string? Detail);
