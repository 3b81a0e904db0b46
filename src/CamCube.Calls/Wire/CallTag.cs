namespace CamCube.Calls;

/// <summary>By what an answer or refusal finds the call that it is for: repeated from the request.</summary>
/// <param name="Key">The key it is about: a restarted service may use a question's number again.</param>
/// <param name="Question">Question of the asking server.</param>
/// <param name="Attempt">Number of the attempt from 1, modulo 256.</param>
public readonly record struct CallTag(Key Key, ulong Question, byte Attempt);
