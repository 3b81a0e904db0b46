using System.Runtime.CompilerServices;

namespace CamCube.Services.Messenger.Resolving;

/// <summary>Asks one resolver after the other until one knows.</summary>
internal sealed class ResolverChain(params IResolver[] resolvers) : IResolver
{
    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<EndpointPlace> FindAsync(EndpointId id, EndpointPlace wrong, CancellationToken cancel)
    {
        foreach (IResolver resolver in resolvers)
        {
            EndpointPlace place = await resolver.FindAsync(id, wrong, cancel);
            if (place.IsKnown || cancel.IsCancellationRequested)
            {
                return place;
            }
        }

        return default;
    }
}
