using System.Net;

namespace CamCube.Administration;

/// <summary>A host did not do what it was asked.</summary>
/// <param name="failure">What kind of thing went wrong.</param>
/// <param name="message">Why, in one line for people.</param>
/// <param name="status">The HTTP status, if it answered.</param>
public sealed class HostException(HostFailure failure, string message, HttpStatusCode? status = null)
    : Exception(message)
{
    /// <summary>What kind of thing went wrong.</summary>
    public HostFailure Failure { get; } = failure;

    /// <summary>The HTTP status; null if nothing answered.</summary>
    public HttpStatusCode? Status { get; } = status;
}
