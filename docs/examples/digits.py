"""An analysis of handwritten digits in plain NumPy: the functions see only `np` and their arguments.

Images are rows of pixels. They are standardised, projected on their principal components (power
iteration with deflation), clustered (k-means) and classified (softmax regression by gradient
descent). Arrays made on the way come from `*_like` and `like=`, so they live where the input lives.
"""

import numpy as np


def standardise(train, other):
    """Give every pixel of the training images mean 0 and spread 1; treat the others the same way."""
    mean = np.mean(train, axis=0)
    spread = np.sqrt(np.mean(np.square(train - mean), axis=0))
    spread = np.where(spread > 0, spread, np.ones_like(spread))  # pixels that never change
    return (train - mean) / spread, (other - mean) / spread


def principal_components(x, count, rounds=60):
    """Return the first principal axes as columns, and the variance along each."""
    covariance = x.T @ x / x.shape[0]
    axes = []
    variances = []
    for _ in range(count):
        v = np.ones_like(covariance[0])
        for _ in range(rounds):
            v = covariance @ v
            v /= np.sqrt(np.sum(v * v))
        variance = v @ covariance @ v
        covariance = covariance - variance * np.outer(v, v)  # what is left without this axis
        axes.append(v)
        variances.append(variance)
    return np.stack(axes, axis=1), np.stack(variances)


def one_hot(labels, count, dtype):
    """Return a row per label, 1 in the label's column and 0 elsewhere."""
    return (labels[:, np.newaxis] == np.arange(count, like=labels)).astype(dtype)


def k_means(x, centres, rounds=20):
    """Return the cluster of every row and the centres, from the centres given."""
    count = centres.shape[0]
    for _ in range(rounds):
        away = x[:, np.newaxis, :] - centres[np.newaxis, :, :]
        nearest = np.argmin(np.sum(away**2, axis=2), axis=1)
        members = one_hot(nearest, count, x.dtype)
        sizes = np.sum(members, axis=0)[:, np.newaxis]
        means = members.T @ x / np.maximum(sizes, 1)
        centres = np.where(sizes > 0, means, centres)  # an empty cluster keeps its centre
    return nearest, centres


def purity(clusters, labels, count):
    """Return the share of rows that have the commonest label of their cluster."""
    table = one_hot(clusters, count, np.float32).T @ one_hot(labels, count, np.float32)
    return np.sum(np.max(table, axis=1)) / labels.shape[0]


def softmax(scores):
    """Return probabilities, row by row."""
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def fit(x, labels, classes, steps=200, rate=0.5, decay=1e-3):
    """Return weights and biases of a softmax regression."""
    wanted = one_hot(labels, classes, x.dtype)
    weights = np.zeros((x.shape[1], classes), dtype=x.dtype, like=x)
    biases = np.zeros_like(weights[0])
    for _ in range(steps):
        error = (softmax(x @ weights + biases) - wanted) / x.shape[0]
        weights -= rate * (x.T @ error + decay * weights)
        biases -= rate * np.sum(error, axis=0)
    return weights, biases


def analyse(images, labels, training, starts, components=24, classes=10):
    """Run all of it; the first `training` images are learnt from, the rest are held back."""
    train, held = standardise(images[:training], images[training:])
    axes, variances = principal_components(train, components)
    points, unseen = train @ axes, held @ axes
    scale = np.sqrt(variances)
    clusters, centres = k_means(points, points[starts])
    weights, biases = fit(points / scale, labels[:training], classes)
    guesses = np.argmax((unseen / scale) @ weights + biases, axis=1)
    return {
        "accuracy": np.mean(guesses == labels[training:]),
        "purity": purity(clusters, labels[:training], classes),
        "explained": np.sum(variances) / np.sum(np.mean(np.square(train), axis=0)),
        "guesses": guesses,
        "clusters": clusters,
        "centres": centres,
        "weights": weights,
    }
