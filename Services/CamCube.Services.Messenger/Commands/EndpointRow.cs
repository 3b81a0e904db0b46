namespace CamCube.Services.Messenger.Commands;

/// <summary>An endpoint in the answer of the command endpoints, in JSON.</summary>
internal sealed record EndpointRow(
    string Name,
    string Id,
    string Owner,
    string State,
    uint Term,
    long Received,
    long Dropped,
    int Windows
)
{
    public static EndpointRow Of(Coordinate owner, in EndpointNumbers numbers) =>
        new(
            numbers.Name,
            numbers.Id.ToString(),
            owner.ToString(),
            numbers.State.ToString().ToLowerInvariant(),
            numbers.Term,
            numbers.Received,
            numbers.Dropped,
            numbers.Windows
        );
}
