namespace CamCube.Services.Cache.Memcached.Tests.Crowds;

/// <summary>A client got what is not the answer to its own commands.</summary>
/// <param name="name">The client.</param>
/// <param name="at">The first wrong byte.</param>
/// <param name="request">Begin of what it had sent.</param>
/// <param name="expected">What should have come there.</param>
/// <param name="actual">What came.</param>
internal sealed class CrowdException(string name, int at, string request, string expected, string actual)
    : Exception($"{name}, byte {at}: asked\n{request}\nexpected\n{expected}\ngot\n{actual}");
