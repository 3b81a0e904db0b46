namespace CamCube.FrontEnds.Protocols;

/// <summary>Makes the protocol of a client that was accepted.</summary>
/// <typeparam name="TService">What clients are served with.</typeparam>
/// <param name="turn">What it works with in its turns.</param>
/// <param name="owner">Told of the end of questions that did not end at once.</param>
public delegate IConnectionProtocol ProtocolFactory<TService>(ServiceTurn<TService> turn, IQuestionOwner owner)
    where TService : class;
